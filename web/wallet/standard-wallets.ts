import { getWallets } from '@wallet-standard/app';
import { readWallet, type SigningWallet } from './read-wallet.ts';

export function watchWallets(onChange: (wallets: readonly SigningWallet[]) => void): () => void {
  const wallets = getWallets();
  const tell = () => {
    onChange(wallets.get().flatMap((wallet) => readWallet(wallet) ?? []));
  };
  const [offRegister, offUnregister] = [wallets.on('register', tell), wallets.on('unregister', tell)];
  tell();
  return () => {
    offRegister();
    offUnregister();
  };
}
