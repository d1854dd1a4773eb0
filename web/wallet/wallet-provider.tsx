import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Signer, walletStandardSigner } from '../../client/index.ts';
import type { WalletAccount } from '@wallet-standard/base';
import { useStats } from '../api/stats.ts';
import { useExtension } from '../extension.ts';
import { chosen, remember } from '../storage/browser-storage.ts';
import { type OfferedWallet, WalletContext } from './wallet-context.ts';
import type { SigningWallet } from './read-wallet.ts';
import { watchWallets } from './standard-wallets.ts';

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

/** Silently reconnects the last one. */
export function WalletProvider({ children }: { readonly children: ReactNode }) {
  const offered = useOffered();
  const [connected, setConnected] = useState<Connected | null>(null);
  // A slow wallet must not replace a later choice.
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
  const { wallet: added } = useExtension();
  const chainOf = useChain();
  useEffect(() => watchWallets(setWallets), []);
  return useMemo(() => {
    const standard = wallets.map((wallet) => offer(wallet, chainOf));
    return added ? [added, ...standard] : standard;
  }, [wallets, added, chainOf]);
}

/** Returns the chain when signing: a wallet may connect before the network is known. */
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
    signAll: (transactions) => walletStandardSigner(wallet, account, chainOf()).signAll(transactions),
  });
  return {
    name: wallet.name,
    icon: wallet.icon,
    async connect(silent) {
      return signerOf(await wallet.connect(silent));
    },
    watch: (onChange) => wallet.watch((account) => onChange(account ? signerOf(account) : null)),
  };
}

function useAccountOf(wallet: OfferedWallet | undefined, setConnected: (connected: Connected | null) => void): void {
  useEffect(() => {
    try {
      return wallet?.watch((signer) => setConnected(signer && { wallet, signer }));
    } catch {
      // It reports no change; the user can reconnect.
      return undefined;
    }
  }, [wallet, setConnected]);
}

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
    // It may need a prompt: the user connects, and the next page retries.
    connect(last, true).catch(() => undefined);
  }, [offered, connected, connect]);
}
