import type { Generated } from 'kysely';
import type { FindingKind } from '../../domain/money/finding.ts';
import type { Fixed } from './columns.ts';

export interface BookFindingTable {
  kind: Fixed<FindingKind>;
  subject: Fixed<string>;
  books: string;
  chain: string;
  firstSeenAt: Generated<Date>;
  lastSeenAt: Generated<Date>;
}

export interface BookCheckTable {
  singleton: Generated<boolean>;
  endedAt: Date;
}

export interface UnchargedLookTable {
  ageSeconds: Fixed<number>;
  endedAt: Date;
  quoteId: string;
}

/** `subject` is that of its finding. */
export interface UnknownWorkTable {
  subject: Fixed<string>;
  signature: Fixed<string>;
  slot: Fixed<bigint>;
  quoteId: Fixed<string | null>;
  seedId: Fixed<string | null>;
  mint: Fixed<string | null>;
  paymentSignature: string | null;
  termsKey: Fixed<string | null>;
  foundAt: Generated<Date>;
  closedAt: Date | null;
}

export interface ReadHistoryTable {
  address: Fixed<string>;
  slot: bigint;
}

export interface ReconcileTables {
  unknownWork: UnknownWorkTable;
  readHistories: ReadHistoryTable;
  unchargedLooks: UnchargedLookTable;
  bookFindings: BookFindingTable;
  bookChecks: BookCheckTable;
}
