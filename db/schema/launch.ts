import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Lamports } from '../../domain/amounts.ts';
import type { ReceiptKind } from '../../domain/launch/receipt.ts';
import type { LaunchState } from '../../domain/launch/state.ts';
import type { LaunchMode } from '../../domain/token-facts.ts';
import type { Bytes, Fixed } from './columns.ts';

export interface LaunchAddressTable {
  quoteId: Fixed<string>;
  seedId: Fixed<string>;
  genesisHash: Fixed<string>;
  launchWallet: Fixed<string>;
  mint: Fixed<string>;
  positionMints: Fixed<string[]>;
  feeKeyMints: Fixed<string[]>;
  mintSuffix: Fixed<string | null>;
  wish: ColumnType<object | null, never, string | null>;
  createdAt: Generated<Date>;
  takenAt: Date | null;
}

export interface LaunchTable {
  quoteId: Fixed<string>;
  terms: ColumnType<object, string, never>;
  state: LaunchState;
  reason: string | null;
  blockedReason: string | null;
  seedId: Fixed<string>;
  creator: Fixed<string>;
  mint: Fixed<string>;
  mode: Fixed<LaunchMode>;
  quoteMint: Fixed<string>;
  name: Fixed<string>;
  symbol: Fixed<string>;
  paymentLamports: Fixed<Lamports>;
  submittedSignature: Fixed<string>;
  submittedWire: Bytes;
  paymentSignature: string | null;
  refundSignature: string | null;
  slot: bigint | null;
  submittedAt: Generated<Date>;
  launchedAt: Date | null;
  completedAt: Date | null;
  finalizedAt: Date | null;
  emptiedAt: Date | null;
  updatedAt: Generated<Date>;
  client: string | null;
  clientNetwork: string | null;
  filesStoredAt: Date | null;
  emptyTries: Generated<number>;
  emptyAfter: Generated<Date>;
  receiptAfter: Generated<Date>;
  receiptedAt: Date | null;
}

export interface LaunchLogoTable {
  quoteId: Fixed<string>;
  contentType: Fixed<string>;
  bytes: Bytes;
}

export type LaunchSignatureKind = 'submitted' | 'alias' | 'landed';

export interface LaunchSignatureTable {
  signature: Fixed<string>;
  quoteId: Fixed<string>;
  kind: LaunchSignatureKind;
  addedAt: Generated<Date>;
}

export interface LaunchStateHistoryTable {
  id: GeneratedAlways<bigint>;
  quoteId: Fixed<string>;
  state: Fixed<LaunchState>;
  slot: Fixed<bigint | null>;
  at: Generated<Date>;
  note: Fixed<string | null>;
}

export interface LateQuoteTable {
  signature: Fixed<string>;
  quoteId: Fixed<string>;
  client: Fixed<string | null>;
  wire: Bytes;
  blockhashSlot: Fixed<bigint>;
  lastValidBlockHeight: Fixed<bigint>;
  refusedAt: Generated<Date>;
  receiptAfter: Generated<Date>;
  receiptedAt: Date | null;
}

export interface ReceiptTable {
  quoteId: Fixed<string>;
  kind: Fixed<ReceiptKind>;
  jws: Fixed<string>;
  digest: Fixed<string>;
  logNumber: number | null;
  signedAt: Generated<Date>;
}

/** Written by triggers; lacks unfolded changes. */
export interface LaunchTotalTable {
  onlyOne: GeneratedAlways<boolean>;
  launches: GeneratedAlways<bigint>;
  creators: GeneratedAlways<bigint>;
}

export interface LaunchHourTable {
  hour: GeneratedAlways<Date>;
  launches: GeneratedAlways<bigint>;
}

export interface LaunchCreatorTable {
  creator: GeneratedAlways<string>;
  launches: GeneratedAlways<bigint>;
}

export interface LaunchChangeTable {
  id: GeneratedAlways<bigint>;
  creator: GeneratedAlways<string>;
  hour: GeneratedAlways<Date>;
  launches: GeneratedAlways<bigint>;
}

export interface LaunchTables {
  launchAddresses: LaunchAddressTable;
  launches: LaunchTable;
  launchLogos: LaunchLogoTable;
  launchSignatures: LaunchSignatureTable;
  launchStateHistory: LaunchStateHistoryTable;
  lateQuotes: LateQuoteTable;
  receipts: ReceiptTable;
  launchTotals: LaunchTotalTable;
  launchHours: LaunchHourTable;
  launchCreators: LaunchCreatorTable;
  launchChanges: LaunchChangeTable;
}
