import { type ClaimOutcome, UnreadableStoreError } from '../../../client/index.ts';
import type { SignedStore } from '../../storage/signed-store.ts';

/** The claim of one token. */
export type Claiming =
  | { readonly step: 'asking' | 'signing' | 'sent' }
  | { readonly step: 'ended'; readonly outcome: ClaimOutcome }
  | { readonly step: 'damaged' }
  | { readonly step: 'failed'; readonly error: Error; readonly isSigned: boolean };

/** All claims of a wallet, one page after the other. */
export interface ClaimRun {
  /** Positions that were not looked at yet; null before the first answer. */
  readonly remaining: number | null;
  /** Could not be prepared now. */
  readonly deferred: readonly { readonly mint: string; readonly reason: string }[];
  /** Ended it before all was looked at. */
  readonly error: Error | null;
}

/** @param store undefined: it could not be opened */
export function stateOfError(error: unknown, store: SignedStore | undefined): Claiming {
  if (error instanceof UnreadableStoreError) return { step: 'damaged' };
  return { step: 'failed', error: asError(error), isSigned: store?.isKept() ?? false };
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('the wallet did not sign');
}
