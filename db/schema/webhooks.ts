import type { Generated } from 'kysely';
import type { Fixed } from './columns.ts';

export interface WebhookEndpointTable {
  id: Fixed<string>;
  url: Fixed<string>;
  secret: Fixed<string>;
  types: string[] | null;
  mint: string | null;
  wallet: string | null;
  creator: string | null;
  cursor: string;
  pausedBecause: string | null;
  failures: Generated<number>;
  nextTryAt: Date | null;
  lastFailure: string | null;
  deliveredAt: Date | null;
  createdAt: Generated<Date>;
}

export interface WebhookKeyTable {
  seedId: Fixed<string>;
  publicKey: string;
}

export interface WebhooksTables {
  webhookEndpoints: WebhookEndpointTable;
  webhookKeys: WebhookKeyTable;
}
