import type { Generated, GeneratedAlways } from 'kysely';
import type { Bytes, Fixed } from './columns.ts';

export interface RecipientSetTable {
  hash: Fixed<string>;
  document: Bytes;
  keepUntil: Date;
}

export interface AirdropTable {
  quoteId: Fixed<string>;
  mint: Fixed<string>;
  shareRaw: Fixed<bigint>;
  recipientsHash: Fixed<string>;
  recipientsUri: Fixed<string>;
  plannedAt: Generated<Date>;
  tries: Generated<number>;
  triedAt: Date | null;
  problem: string | null;
  deliveredAt: Date | null;
  deliveredRaw: GeneratedAlways<bigint>;
  sealedRoot: string | null;
  sealSignature: string | null;
  sealSlot: bigint | null;
}

export interface AirdropBatchTable {
  quoteId: Fixed<string>;
  batch: Fixed<number>;
  signature: string | null;
  slot: bigint | null;
  deliveredAt: Date | null;
}

export interface AirdropShareTable {
  quoteId: Fixed<string>;
  position: Fixed<number>;
  wallet: Fixed<string>;
  amountRaw: Fixed<bigint>;
  batch: Fixed<number>;
}

export interface AirdropTables {
  recipientSets: RecipientSetTable;
  airdrops: AirdropTable;
  airdropBatches: AirdropBatchTable;
  airdropShares: AirdropShareTable;
}
