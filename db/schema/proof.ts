import type { ColumnType, Generated } from 'kysely';
import type { Bytes, Fixed } from './columns.ts';

export interface ProofDocumentTable {
  root: Fixed<string>;
  rowCount: Fixed<number>;
  byteCount: Fixed<bigint>;
  createdAt: Generated<Date>;
}

export interface ProofDocumentPartTable {
  root: Fixed<string>;
  n: Fixed<number>;
  body: Bytes;
}

export interface SealedLogTable {
  number: Fixed<number>;
  root: string;
  receiptCount: number | null;
  walletCount: number | null;
  walletRoot: string | null;
  prices: ColumnType<object | null, string | null, string | null>;
  sealSignature: string | null;
  sealSlot: bigint | null;
  writtenAt: Generated<Date>;
}

export interface ProofTables {
  proofDocuments: ProofDocumentTable;
  proofDocumentParts: ProofDocumentPartTable;
  sealedLogs: SealedLogTable;
}
