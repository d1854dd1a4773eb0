import type { ColumnType, Generated } from 'kysely';
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
  signedMessage: ColumnType<Buffer | null, undefined, Uint8Array | null>;
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

export interface ClaimTables {
  claimNonces: ClaimNonceTable;
  claimIntents: ClaimIntentTable;
}
