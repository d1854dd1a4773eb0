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
  lane: Fixed<number | null>;
  stepNumber: Fixed<number | null>;
  stepTo: Fixed<bigint | null>;
}

export type ChainTransaction = Selectable<ChainTransactionTable>;

/** `open` may happen, `done` is final, `void`: another step has its number. */
export type LaneStepState = 'open' | 'done' | 'void';

export interface LaneTable {
  lane: Fixed<number>;
  mint: Fixed<string>;
  account: Fixed<string>;
  authority: Fixed<string>;
  seedId: Fixed<string>;
  number: Generated<number>;
  value: Generated<bigint>;
  slot: Generated<bigint>;
  movedAt: Generated<Date>;
  learnedSlot: bigint | null;
}

export interface LaneStepTable {
  lane: Fixed<number>;
  number: Fixed<number>;
  toValue: Fixed<bigint>;
  fromValue: Fixed<bigint>;
  digest: Bytes;
  purpose: Purpose | null;
  state: Generated<LaneStepState>;
  signature: string | null;
  slot: bigint | null;
  openedAt: Generated<Date>;
  settledAt: Date | null;
}

export interface LaneCheckTable {
  lane: Fixed<number>;
  number: number;
  value: bigint;
  checkedAt: Generated<Date>;
}

export interface MoneyTables {
  chainTransactions: ChainTransactionTable;
  lanes: LaneTable;
  laneChecks: LaneCheckTable;
  laneSteps: LaneStepTable;
}
