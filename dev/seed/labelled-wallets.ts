import type { PublicKey } from '@solana/web3.js';
import { localAddress, localWallet } from './addresses.ts';

export type WalletLabel = 'exchange' | 'custody' | 'treasury' | 'program';

/** 0 = largest. */
export interface LabelledWallet {
  readonly label: WalletLabel;
  readonly wallet: PublicKey;
  readonly rank: number;
}

/** Ranks inside and at the edge of every tier: each removes holders and moves others up. */
const RANKS: Record<WalletLabel, readonly number[]> = {
  exchange: [0, 4, 17, 99, 250, 999, 2_000, 4_999],
  custody: [2, 31, 100, 640, 3_100],
  treasury: [1, 58, 512, 5_005],
  program: [3, 9, 10, 76, 101, 333, 1_000, 1_001, 2_750, 4_100, 5_000, 5_500],
};

const ADDRESSES: Readonly<Record<WalletLabel, (name: string) => PublicKey>> = {
  exchange: localWallet,
  custody: localWallet,
  treasury: localWallet,
  program: localAddress,
};

export const LABELLED_WALLETS: readonly LabelledWallet[] = (Object.keys(RANKS) as WalletLabel[]).flatMap((label) =>
  RANKS[label].map((rank, index) => ({ label, rank, wallet: ADDRESSES[label](`${label} wallet ${index}`) })),
);
