import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Signer, walletStandardSigner } from '../../client/index.ts';
import { useStats } from '../api/stats.ts';
import { DESK_ROOT } from '../site.ts';
import { type OfferedWallet, WalletContext } from './wallet-context.ts';
import { type SigningWallet, watchAccount, watchWallets } from './standard-wallets.ts';

const LAST_KEY = 'slipway:wallet';

const CHAINS = {
  'mainnet-beta': 'solana:mainnet',
  devnet: 'solana:devnet',
  testnet: 'solana:testnet',
  localnet: 'solana:localnet',
} as const;

type Chain = (typeof CHAINS)[keyof typeof CHAINS];

interface Connected {
  readonly wallet: OfferedWallet;
  readonly signer: Signer;
}

/** Offers the wallets of this browser to every page, and connects the last one again where it agrees without asking. */
export function WalletProvider({ children }: { readonly children: ReactNode }) {
  const offered = useOffered();
  const [connected, setConnected] = useState<Connected | null>(null);
  const connect = useCallback(async (wallet: OfferedWallet, silent = false) => {
    setConnected({ wallet, signer: await wallet.connect(silent) });
    localStorage.setItem(LAST_KEY, wallet.name);
  }, []);
  useLastWallet(offered, connected, connect);
  useAccountOf(connected?.wallet, setConnected);
  const state = useMemo(
    () => ({
      offered,
      signer: connected?.signer ?? null,
      walletName: connected?.wallet.name ?? null,
      connect,
      disconnect: () => {
        localStorage.removeItem(LAST_KEY);
        setConnected(null);
      },
    }),
    [offered, connected, connect],
  );
  return <WalletContext value={state}>{children}</WalletContext>;
}

function useOffered(): readonly OfferedWallet[] {
  const [wallets, setWallets] = useState<readonly SigningWallet[]>([]);
  const [demo, setDemo] = useState<OfferedWallet | null>(null);
  const network = useStats().data?.network;
  useEffect(() => watchWallets(setWallets), []);
  useEffect(() => {
    if (DESK_ROOT !== null) void import('../desk/demo-wallet.ts').then(({ demoWallet }) => setDemo(demoWallet()));
  }, []);
  return useMemo(() => {
    const chain = network && CHAINS[network];
    const standard = wallets.map((wallet) => offer(wallet, chain));
    return demo ? [demo, ...standard] : standard;
  }, [wallets, demo, network]);
}

function offer(wallet: SigningWallet, chain: Chain | undefined): OfferedWallet {
  return {
    name: wallet.name,
    icon: wallet.icon.startsWith('data:image/') ? wallet.icon : null,
    async connect(silent) {
      const { accounts } = await wallet.features['standard:connect'].connect({ silent });
      const [account] = accounts;
      if (!account) throw new Error(`${wallet.name} shared no account`);
      return walletStandardSigner(wallet, account, chain);
    },
    watch: (onChange) =>
      watchAccount(wallet, (account) => onChange(account ? walletStandardSigner(wallet, account, chain) : null)),
  };
}

/** Follows the connected wallet when its owner turns to another account, or shares none any more. */
function useAccountOf(wallet: OfferedWallet | undefined, setConnected: (connected: Connected | null) => void): void {
  useEffect(() => wallet?.watch((signer) => setConnected(signer && { wallet, signer })), [wallet, setConnected]);
}

/** Tries once, as soon as the wallet that was connected last has come up. */
function useLastWallet(
  offered: readonly OfferedWallet[],
  connected: Connected | null,
  connect: (wallet: OfferedWallet, silent: boolean) => Promise<void>,
): void {
  const tried = useRef(false);
  useEffect(() => {
    const last = offered.find(({ name }) => name === localStorage.getItem(LAST_KEY));
    if (tried.current || connected || !last) return;
    tried.current = true;
    // It may want to ask first, or the page is being left: whoever wants it connects it by hand, and the next page tries again.
    connect(last, true).catch(() => undefined);
  }, [offered, connected, connect]);
}
