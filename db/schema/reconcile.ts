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

export interface ReconcileTables {
  unchargedLooks: UnchargedLookTable;
  bookFindings: BookFindingTable;
  bookChecks: BookCheckTable;
}
