import type { Generated, Selectable } from 'kysely';
import type { ChainTransactionStatus } from '../../domain/chain-transaction.ts';
import type { Purpose } from '../../domain/purpose.ts';
import type { Bytes, Fixed } from './columns.ts';

export interface ChainTransactionTable {
  purpose: Fixed<Purpose>;
  attempt: Fixed<number>;
  signature: Fixed<string>;
  wire: Bytes;
  blockhash: Fixed<string>;
  blockhashSlot: Fixed<bigint>;
  lastValidBlockHeight: Fixed<bigint>;
  status: Generated<ChainTransactionStatus>;
  slot: bigint | null;
  error: string | null;
  errorFinalized: Generated<boolean>;
  signedAt: Generated<Date>;
  broadcastAt: Date | null;
  landedAt: Date | null;
  settledAt: Date | null;
  updatedAt: Generated<Date>;
}

export type ChainTransaction = Selectable<ChainTransactionTable>;
