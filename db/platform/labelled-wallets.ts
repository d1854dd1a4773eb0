/** No airdrops for these. Changes are audited. */

import type { Selectable } from 'kysely';
import * as auditLog from './audit-log.ts';
import { type Db, transaction } from '../connect.ts';
import type { LabelledWalletTable, WalletLabel } from '../schema/platform.ts';
import type { Decision } from './switches.ts';

export const WALLET_LABELS = ['exchange', 'custody', 'treasury', 'program'] as const satisfies readonly WalletLabel[];

export type LabelledWallet = Selectable<LabelledWalletTable>;

export function list(db: Db): Promise<LabelledWallet[]> {
  return db.selectFrom('labelledWallets').selectAll().orderBy('label').orderBy('address').execute();
}

export interface WalletToLabel {
  readonly address: string;
  readonly label: WalletLabel;
}

/** Returns the addresses that have a label or are derived launch wallets. */
export async function amongst(db: Db, addresses: readonly string[]): Promise<Set<string>> {
  if (addresses.length === 0) return new Set();
  const rows = await db
    .selectFrom('labelledWallets')
    .select('address')
    .where('address', 'in', addresses)
    .unionAll(db.selectFrom('launchAddresses').select('launchWallet as address').where('launchWallet', 'in', addresses))
    .execute();
  return new Set(rows.map(({ address }) => address));
}

/** Adds labels; existing ones stay. Returns how many are new. */
export async function addMissing(db: Db, wallets: readonly WalletToLabel[], addedBy: string): Promise<number> {
  if (wallets.length === 0) return 0;
  const added = await db
    .insertInto('labelledWallets')
    .values(wallets.map((wallet) => ({ ...wallet, addedBy })))
    .onConflict((conflict) => conflict.column('address').doNothing())
    .returning('address')
    .execute();
  return added.length;
}

export function set(db: Db, { address, label }: WalletToLabel, { actor, note }: Decision): Promise<void> {
  return transaction(db, async (tx) => {
    await tx
      .insertInto('labelledWallets')
      .values({ address, label, note: note ?? null, addedBy: actor })
      .onConflict((conflict) => conflict.column('address').doUpdateSet({ label, note: note ?? null, addedBy: actor }))
      .execute();
    await auditLog.append(tx, {
      actor,
      action: 'wallet.label',
      subject: `wallet/${address}`,
      note,
      details: { label },
    });
  });
}

/** False without a label. */
export function remove(db: Db, address: string, { actor, note }: Decision): Promise<boolean> {
  return transaction(db, async (tx) => {
    const removed = await tx.deleteFrom('labelledWallets').where('address', '=', address).executeTakeFirst();
    if (removed.numDeletedRows === 0n) return false;
    await auditLog.append(tx, { actor, action: 'wallet.unlabel', subject: `wallet/${address}`, note, details: {} });
    return true;
  });
}
