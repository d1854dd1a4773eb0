import type { Answer } from '../http/api.ts';
import type { Instruction } from '../solana/message.ts';

/** Fees and who may claim them. */
export type Fees = Answer<'GET /tokens/{mint}/fees'>;

/** The amounts, and the transaction to sign. */
export type ClaimQuote = Answer<'POST /tokens/{mint}/fees/claim/prepare'>;

export interface ClaimContext {
  readonly fees: Fees;
  readonly quote: ClaimQuote;
  /** The wallet that signs. */
  readonly wallet: string;
  /** At launch: no other may be claimed. Default: the platform's statement. */
  readonly quoteMint?: string | undefined;
  /** Default: Raydium's lock program. */
  readonly collection?: Collection | undefined;
  /** Default 200,000. */
  readonly maxNetworkFeeLamports?: bigint;
}

/** A claim may pay into these: one per token program. */
export interface ClaimAccounts {
  readonly base: readonly string[];
  readonly quote: readonly string[];
}

export interface CollectionContext extends ClaimContext {
  /** Advances the nonce. */
  readonly platform: string;
  readonly accounts: ClaimAccounts;
}

/** Returns signers beside wallet and platform. */
export type CollectionCheck = (collecting: readonly Instruction[], ground: CollectionContext) => readonly string[];

export interface Collection {
  /** A claim that calls any other program is refused. */
  readonly programs: readonly string[];
  /** Throws a RefusedError unless these instructions collect for the wallet and do nothing else. */
  readonly check: CollectionCheck;
}
