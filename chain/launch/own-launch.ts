import { VersionedTransaction } from '@solana/web3.js';
import type { LaunchAddresses } from '../../domain/launch/terms.ts';
import { launchOf } from '../../domain/purpose.ts';
import { deriveLaunchAddresses, type KeyContext, type LaunchSeed } from '../keys/launch-keys.ts';
import { splitMemos } from '../rpc/history.ts';
import { shownMemo } from '../rpc/message-memo.ts';
import { isSignedBy } from '../transactions/verify.ts';

export interface OwnLaunch {
  readonly quoteId: string;
  readonly seedId: string;
  readonly addresses: LaunchAddresses;
}

export interface KeySource {
  readonly seeds: readonly LaunchSeed[];
  readonly context: KeyContext;
}

/** The memos of a transaction, in order. */
export function memosOf(wire: Uint8Array): string[] {
  const memo = shownMemo(VersionedTransaction.deserialize(wire).message);
  return memo === null ? [] : splitMemos(memo);
}

/**
 * The launch whose wallet signed this transaction, by a seed of ours; null for every other. Anyone can write its memo,
 * and name its wallet: only the derivation and the signature count.
 */
export function ownLaunchIn(keys: KeySource, wire: Uint8Array, memos = memosOf(wire)): OwnLaunch | null {
  const quoteIds = new Set(memos.flatMap((memo) => launchOf(memo) ?? []));
  for (const quoteId of quoteIds) {
    const own = ownLaunch(keys, quoteId, (wallet) => isSignedBy(wire, wallet));
    if (own) return own;
  }
  return null;
}

/** Null unless a seed gives the quote a launch wallet that the caller accepts. */
export function ownLaunch(
  { seeds, context }: KeySource,
  quoteId: string,
  isWallet: (address: string) => boolean,
): OwnLaunch | null {
  for (const seed of seeds) {
    const addresses = deriveLaunchAddresses(seed, context, quoteId);
    if (isWallet(addresses.launchWallet)) return { quoteId, seedId: seed.id, addresses };
  }
  return null;
}
