export const WALLET_ROLES = [
  'treasury',
  'platform',
  'rewards',
  'restock',
  'receipts',
  'lane',
  'launch',
  'pot',
] as const;

export type WalletRole = (typeof WALLET_ROLES)[number];

export const WALLET_EVENTS = ['used', 'retired'] as const;

export type WalletEvent = (typeof WALLET_EVENTS)[number];
