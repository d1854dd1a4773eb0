import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Signer, walletStandardSigner } from '../../client/index.ts';
import type { WalletAccount } from '@wallet-standard/base';
import { useStats } from '../api/stats.ts';
import { DESK_ROOT } from '../site.ts';
import { chosen, remember } from '../storage/browser-storage.ts';
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
  // A wallet that takes its time does not take the place of one that was chosen, or put away, after it.
  const newest = useRef(0);
  const connect = useCallback(async (wallet: OfferedWallet, silent = false) => {
    const turn = ++newest.current;
    const signer = await wallet.connect(silent);
    if (turn !== newest.current) return;
    setConnected({ wallet, signer });
    remember(LAST_KEY, wallet.name);
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
        newest.current++;
        remember(LAST_KEY, null);
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
  const chainOf = useChain();
  useEffect(() => watchWallets(setWallets), []);
  useEffect(() => {
    if (DESK_ROOT !== null) void import('../desk/demo-wallet.ts').then(({ demoWallet }) => setDemo(demoWallet()));
  }, []);
  return useMemo(() => {
    const standard = wallets.map((wallet) => offer(wallet, chainOf));
    return demo ? [demo, ...standard] : standard;
  }, [wallets, demo, chainOf]);
}

/** Tells the chain when something is signed: a wallet may be connected before the platform has said where it is. */
function useChain(): () => Chain | undefined {
  const network = useStats().data?.network;
  const chain = useRef<Chain>(undefined);
  useEffect(() => {
    chain.current = network && CHAINS[network];
  }, [network]);
  return useCallback(() => chain.current, []);
}

function offer(wallet: SigningWallet, chainOf: () => Chain | undefined): OfferedWallet {
  const signerOf = (account: WalletAccount): Signer => ({
    address: account.address,
    sign: (transaction) => walletStandardSigner(wallet, account, chainOf()).sign(transaction),
  });
  return {
    name: wallet.name,
    icon: wallet.icon.startsWith('data:image/') ? wallet.icon : null,
    async connect(silent) {
      const { accounts } = await wallet.features['standard:connect'].connect({ silent });
      const [account] = accounts;
      if (!account) throw new Error(`${wallet.name} shared no account`);
      return signerOf(account);
    },
    watch: (onChange) => watchAccount(wallet, (account) => onChange(account ? signerOf(account) : null)),
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
    const last = offered.find(({ name }) => name === chosen(LAST_KEY));
    if (tried.current || connected || !last) return;
    tried.current = true;
    // It may want to ask first, or the page is being left: whoever wants it connects it by hand, and the next page tries again.
    connect(last, true).catch(() => undefined);
  }, [offered, connected, connect]);
}
