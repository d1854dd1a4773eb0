/** Wallets that get no airdrop. Changes by people are audited. */

import type { Selectable } from 'kysely';
import * as auditLog from './audit-log.ts';
import { type Db, transaction } from '../connect.ts';
import type { LabelledWalletTable, WalletLabel } from '../schema/platform.ts';
import type { Decision } from './switches.ts';

/** All labels a wallet can have. */
export const WALLET_LABELS = ['exchange', 'custody', 'treasury', 'program'] as const satisfies readonly WalletLabel[];

/** A wallet that no airdrop goes to. */
export type LabelledWallet = Selectable<LabelledWalletTable>;

/** All of them, by label and address. */
export function list(db: Db): Promise<LabelledWallet[]> {
  return db.selectFrom('labelledWallets').selectAll().orderBy('label').orderBy('address').execute();
}

/** An address (base58) and why it gets no airdrop. */
export interface WalletToLabel {
  readonly address: string;
  readonly label: WalletLabel;
}

/** Of these addresses those that have a label, or were derived as the wallet of a launch. */
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

/** Labels wallets that have none yet: what somebody has set stays. Answers how many are new. */
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

/** Labels one wallet, or gives it another label. */
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

/** Takes a wallet's label away; false when it had none. */
export function remove(db: Db, address: string, { actor, note }: Decision): Promise<boolean> {
  return transaction(db, async (tx) => {
    const removed = await tx.deleteFrom('labelledWallets').where('address', '=', address).executeTakeFirst();
    if (removed.numDeletedRows === 0n) return false;
    await auditLog.append(tx, { actor, action: 'wallet.unlabel', subject: `wallet/${address}`, note, details: {} });
    return true;
  });
}
