import type { Generated } from 'kysely';
import type { StatementKind } from '../../domain/money/statement.ts';
import type { Fixed } from './columns.ts';

export interface StatementRowTable {
  account: Fixed<string>;
  number: Fixed<number>;
  kind: Fixed<StatementKind>;
  mint: Fixed<string>;
  roundId: Fixed<string | null>;
  signature: Fixed<string | null>;
  slot: Fixed<bigint | null>;
  landedAt: Fixed<Date | null>;
  valueUsd: Fixed<string | null>;
  bookedAt: Generated<Date>;
  baseRaw: Fixed<bigint>;
  quoteRaw: Fixed<bigint>;
  harvestedRaw: Fixed<bigint | null>;
  shareBps: Fixed<number | null>;
  totalBaseInRaw: Fixed<bigint>;
  totalBaseOutRaw: Fixed<bigint>;
  totalQuoteInRaw: Fixed<bigint>;
  totalQuoteOutRaw: Fixed<bigint>;
}

export interface StatementsTables {
  statementRows: StatementRowTable;
}
