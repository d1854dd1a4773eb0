import type { Generated } from 'kysely';
import type { ClaimRefusal, ClaimState } from '../../domain/claim/state.ts';
import type { Bytes, Fixed } from './columns.ts';

export interface ClaimNonceTable {
  mint: Fixed<string>;
  nonceAccount: string;
  authority: string;
  createdAt: Generated<Date>;
}

export interface ClaimIntentTable {
  intentId: Fixed<string>;
  mint: Fixed<string>;
  wallet: Fixed<string>;
  feeKeyMint: Fixed<string>;
  nonceAccount: Fixed<string>;
  nonce: Fixed<string>;
  message: Bytes;
  baseRaw: bigint;
  quoteRaw: bigint;
  issuedSlot: Fixed<bigint>;
  holdsFeeKey: Fixed<boolean>;
  state: Generated<ClaimState>;
  signature: string | null;
  refusal: ClaimRefusal | null;
  reason: string | null;
  slot: bigint | null;
  issuedAt: Generated<Date>;
  expiresAt: Date;
  submittedAt: Date | null;
  relayedAt: Date | null;
  settledAt: Date | null;
  updatedAt: Generated<Date>;
}

/** The tables of this file by name. */
export interface ClaimTables {
  claimNonces: ClaimNonceTable;
  claimIntents: ClaimIntentTable;
}
