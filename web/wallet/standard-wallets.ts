import { getWallets } from '@wallet-standard/app';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import type { StandardWallet } from '../../client/index.ts';

/** A wallet of the browser that can be connected, and can sign a transaction without sending it: the platform signs last. */
export interface SigningWallet extends StandardWallet<WalletAccount> {
  readonly icon: string;
  readonly features: StandardWallet<WalletAccount>['features'] & {
    readonly 'standard:connect': {
      readonly connect: (input?: {
        readonly silent?: boolean;
      }) => Promise<{ readonly accounts: readonly WalletAccount[] }>;
    };
    readonly 'standard:events'?: {
      /** Answers what ends the listening. A change that is not of the accounts does not name them. */
      readonly on: (
        event: 'change',
        listener: (changed: { readonly accounts?: readonly WalletAccount[] }) => void,
      ) => () => void;
    };
  };
}

/** Wallets that registered themselves, and those that do so later. */
export function watchWallets(onChange: (wallets: readonly SigningWallet[]) => void): () => void {
  const wallets = getWallets();
  const tell = () => {
    onChange(wallets.get().filter(canSign));
  };
  const [offRegister, offUnregister] = [wallets.on('register', tell), wallets.on('unregister', tell)];
  tell();
  return () => {
    offRegister();
    offUnregister();
  };
}

function canSign(wallet: Wallet): wallet is Wallet & SigningWallet {
  return (
    hasMethod(wallet.features['solana:signTransaction'], 'signTransaction') &&
    hasMethod(wallet.features['standard:connect'], 'connect')
  );
}

/** Tells which account a wallet shares first, undefined for none, whenever that may have changed; answers what ends it. */
export function watchAccount(
  wallet: SigningWallet,
  onChange: (account: WalletAccount | undefined) => void,
): () => void {
  const events = wallet.features['standard:events'];
  if (!events) return () => undefined;
  return events.on('change', ({ accounts }) => {
    if (accounts) onChange(accounts[0]);
  });
}

function hasMethod(feature: unknown, name: string): boolean {
  return typeof feature === 'object' && feature !== null && name in feature;
}
