import type { WalletEntry } from '../../../client/verify/wallets/wallet-list.ts';

/** An entry of the list of wallets, without what is the same in all. */
export type WalletFacts = Pick<WalletEntry, 'role' | 'address'> & Partial<WalletEntry>;

/** Lists of wallets that were used in this slot, where an entry names no other one; numbered in order. */
export const walletsUsedIn =
  (slot: number) =>
  (entries: readonly WalletFacts[]): WalletEntry[] =>
    entries.map((entry, index) => ({
      mint: null,
      event: 'used',
      slot,
      notedAt: '2026-11-21T12:00:00.000Z',
      ...entry,
      number: index + 1,
    }));
