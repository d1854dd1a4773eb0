import type { Logger } from 'pino';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import type { SignatureStatus } from '../../chain/rpc/statuses.ts';
import type { Db } from '../../db/connect.ts';
import type { LaneContext } from './lane-context.ts';

export interface Followed {
  /** base58 */
  readonly signature: string;
  readonly lane: number;
  readonly number: number;
  readonly from: bigint;
  readonly to: bigint;
  readonly digest: Uint8Array;
  readonly lastValidBlockHeight: number;
  readonly send: () => Promise<unknown>;
}

/**
 * Fate of a version:
 *
 * - `done`: its step is final, by this transaction or another with the same content.
 * - `failed`: final with an error; it moved nothing.
 * - `expired`: it can no longer land.
 * - `overtaken`: another movement made the step of its number.
 */
export type Outcome =
  | { readonly kind: 'done'; readonly signature: string; readonly slot: bigint }
  | { readonly kind: 'failed'; readonly signature: string; readonly error: string }
  | { readonly kind: 'expired' }
  | { readonly kind: 'overtaken' };

export interface FollowerOptions {
  readonly db: Db;
  readonly rpc: Rpc;
  readonly logger: Logger;
  readonly pollMs: number;
  readonly resendMs: number;
  readonly ground: () => Promise<LaneContext>;
}

export interface Entry {
  readonly followed: Followed;
  readonly outcome: Promise<Outcome>;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (error: unknown) => void;
  seen: SignatureStatus | null;
  /** First seen in a block, on the clock of `performance.now()`. */
  inBlockAt: number | null;
  nextSendAt: number;
  /** How often its lane had moved on and could not be learned. */
  unlearned: number;
  /** It looked final, but its lane has not moved or is unknown: it may never have been final. */
  isUnmoved: boolean;
}

export type Entries = Map<string, Entry>;

/** Failed polls before all waiting callers fail; failed reads of a lane before its callers fail. */
export const MOST_FAILURES = 10;

export function isInABlock(seen: SignatureStatus | null): boolean {
  return seen !== null && seen.commitment !== 'processed';
}

export function isFinal(seen: SignatureStatus | null): boolean {
  return seen?.commitment === 'finalized';
}

export function end(entries: Entries, entry: Entry, outcome: Outcome): void {
  forget(entries, entry);
  entry.settle(outcome);
}

/** A notified caller may follow the same bytes again meanwhile: that new entry stays. */
export function forget(entries: Entries, entry: Entry): void {
  const { signature } = entry.followed;
  if (entries.get(signature) === entry) entries.delete(signature);
}
