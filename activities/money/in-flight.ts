import type { Logger } from 'pino';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import type { SignatureStatus } from '../../chain/rpc/statuses.ts';
import type { Db } from '../../db/connect.ts';
import type { LaneGround } from './lane-ground.ts';

/** A signed version that is to be sent and followed. */
export interface Followed {
  /** base58 */
  readonly signature: string;
  readonly lane: number;
  readonly number: number;
  readonly from: bigint;
  readonly to: bigint;
  readonly digest: Uint8Array;
  readonly lastValidBlockHeight: number;
  /** Hands the bytes to the chain. */
  readonly send: () => Promise<unknown>;
}

/**
 * What became of a version. `done` its step is final, by this transaction or another with the same content · `failed` it is final
 * with an error: it paid its fee and moved nothing · `expired` it can not land any more · `overtaken` another movement made the
 * step with its number.
 */
export type Outcome =
  | { readonly kind: 'done'; readonly signature: string; readonly slot: bigint }
  | { readonly kind: 'failed'; readonly signature: string; readonly error: string }
  | { readonly kind: 'expired' }
  | { readonly kind: 'overtaken' };

/** What following uses from outside. */
export interface FollowerOptions {
  readonly db: Db;
  readonly rpc: Rpc;
  readonly logger: Logger;
  readonly pollMs: number;
  readonly resendMs: number;
  readonly ground: () => Promise<LaneGround>;
}

/** A version in flight, with whoever waits for what becomes of it. */
export interface Entry {
  readonly followed: Followed;
  readonly outcome: Promise<Outcome>;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (error: unknown) => void;
  seen: SignatureStatus | null;
  /** When it was first seen in a block, on the clock of `performance.now()`; null while it is in none. */
  inBlockAt: number | null;
  nextSendAt: number;
  /** How often its lane had moved on and could not be learned. */
  unlearned: number;
  /** Whether its lane stood where it had, or nobody knows where, although it was final: it may never have been. */
  isUnmoved: boolean;
}

/** Everything in flight, by signature. */
export type Entries = Map<string, Entry>;

/** So many looks in a row may fail before everybody who waits is told; so many at one lane, before those who wait for it are. */
export const MOST_FAILURES = 10;

export function isInABlock(seen: SignatureStatus | null): boolean {
  return seen !== null && seen.commitment !== 'processed';
}

export function isFinal(seen: SignatureStatus | null): boolean {
  return seen?.commitment === 'finalized';
}

/** Tells whoever waits. */
export function end(entries: Entries, entry: Entry, outcome: Outcome): void {
  forget(entries, entry);
  entry.settle(outcome);
}

/** Whoever was told may follow the same bytes anew before the look is over: that is another entry, and stays. */
export function forget(entries: Entries, entry: Entry): void {
  const { signature } = entry.followed;
  if (entries.get(signature) === entry) entries.delete(signature);
}
