import type { Answer } from '../http/api.ts';
import type { Instruction } from '../solana/message.ts';

/** What a claim would collect, and who may: `GET /tokens/{mint}/fees`. */
export type Fees = Answer<'GET /tokens/{mint}/fees'>;

/** What claim prepare answers: the amounts, and the transaction to sign. */
export type ClaimQuote = Answer<'POST /tokens/{mint}/fees/claim/prepare'>;

/** What a claim is checked against. */
export interface ClaimGround {
  readonly fees: Fees;
  readonly quote: ClaimQuote;
  /** The wallet that signs. */
  readonly wallet: string;
  /** Whether the exchange may be the local stand-in, which signs for its pools itself. */
  readonly allowsStandIn: boolean;
  /** Lamports of network fee at most; default 200,000. */
  readonly maxNetworkFeeLamports?: bigint;
}

/** The wallet's own token accounts that a claim pays into. */
export interface ClaimAccounts {
  readonly base: string;
  readonly quote: string;
}

/** What the collecting instructions of a claim are checked against. */
export interface CollectionGround extends ClaimGround {
  /** Who advances the nonce. */
  readonly platform: string;
  readonly accounts: ClaimAccounts;
}

/** Checks instructions that collect, and answers who must sign them beside wallet and platform. */
export type CollectionCheck = (collecting: readonly Instruction[], ground: CollectionGround) => readonly string[];
