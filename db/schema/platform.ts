import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { SwitchName, SwitchValue } from '../../domain/switches.ts';
import type { WalletEvent, WalletRole } from '../../domain/wallet-roles.ts';
import type { Bytes, Fixed } from './columns.ts';

export interface EnvironmentTable {
  singleton: Generated<boolean>;
  environment: Fixed<string>;
  genesisHash: Fixed<string>;
  claimedAt: Generated<Date>;
}

export interface SwitchTable {
  name: Fixed<SwitchName>;
  value: SwitchValue;
  changedBy: string;
  changedAt: Generated<Date>;
}

export interface AuditLogTable {
  id: GeneratedAlways<bigint>;
  at: Generated<Date>;
  actor: Fixed<string>;
  action: Fixed<string>;
  subject: Fixed<string>;
  note: Fixed<string | null>;
  details: ColumnType<object, string | undefined, never>;
}

/** Reason why a holder of quote tokens gets no airdrop. */
export type WalletLabel = 'exchange' | 'custody' | 'treasury' | 'program';

export interface LabelledWalletTable {
  address: Fixed<string>;
  label: WalletLabel;
  note: string | null;
  addedBy: string;
  addedAt: Generated<Date>;
}

export interface WalletManifestTable {
  number: Fixed<number>;
  role: Fixed<WalletRole>;
  address: Fixed<string>;
  mint: Fixed<string | null>;
  event: Fixed<WalletEvent>;
  slot: Fixed<bigint>;
  notedAt: Generated<Date>;
}

export interface RateCounterTable {
  key: Fixed<string>;
  count: number;
  endsAt: Date;
}

export interface ClientPackageTable {
  fileName: Fixed<string>;
  bytes: Bytes;
  keptAt: Generated<Date>;
}

export interface PlatformTables {
  environment: EnvironmentTable;
  switches: SwitchTable;
  auditLog: AuditLogTable;
  labelledWallets: LabelledWalletTable;
  rateCounters: RateCounterTable;
  walletManifest: WalletManifestTable;
  clientPackages: ClientPackageTable;
}
