/** Public list of the platform's own addresses; append only. Triggers add launch wallets, pots and lanes. */

import { type Selectable, sql } from 'kysely';
import { WALLET_ROLES, type WalletEvent, type WalletRole } from '../../domain/wallet-roles.ts';
import { type Db, transaction } from '../connect.ts';
import type { WalletManifestTable } from '../schema/platform.ts';

export type NotedWallet = Selectable<WalletManifestTable>;

const OWN_ROLES = ['treasury', 'platform', 'rewards', 'restock', 'receipts'] as const satisfies readonly WalletRole[];

/** A wallet that the worker signs with. */
export interface OwnWallet {
  readonly role: (typeof OWN_ROLES)[number];
  readonly address: string;
}

/** Notes the wallets that this process uses; others of the same roles are retired. `slot`: finalized. */
export function noteOwn(db: Db, wallets: readonly OwnWallet[], slot: bigint): Promise<void> {
  return transaction(db, async (tx) => {
    for (const wallet of wallets) await note(tx, { ...wallet, event: 'used' }, slot);
    for (const role of new Set(wallets.map((wallet) => wallet.role))) {
      const own = new Set(wallets.filter((wallet) => wallet.role === role).map(({ address }) => address));
      for (const address of await used(tx, role))
        if (!own.has(address)) await note(tx, { role, address, event: 'retired' }, slot);
    }
  });
}

async function note(tx: Db, { role, address, event }: OwnWallet & { readonly event: WalletEvent }, slot: bigint) {
  await sql`select note_wallet(${role}, ${address}, null, ${event}, ${slot})`.execute(tx);
}

/** Wallets that act for the platform now, by role: not those of coins and lanes. */
export async function ownNow(db: Db): Promise<Pick<NotedWallet, 'role' | 'address' | 'slot'>[]> {
  const rows = await db
    .selectFrom('walletManifest')
    .distinctOn(['role', 'address'])
    .select(['role', 'address', 'slot', 'event'])
    .where('role', 'in', OWN_ROLES)
    .orderBy('role')
    .orderBy('address')
    .orderBy('number', 'desc')
    .execute();
  return rows.filter(({ event }) => event === 'used');
}

/** Addresses whose last event in this role is `used`. */
async function used(tx: Db, role: WalletRole): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select address from (
      select distinct on (address) address, event from wallet_manifest where role = ${role} order by address, number desc
    ) as last where event = 'used'`.execute(tx);
  return rows.map(({ address }) => address);
}

/** The slot at which an address was first noted; null if it never was. Nothing that it did for us is older. */
export async function notedAt(db: Db, address: string): Promise<bigint | null> {
  const { rows } = await sql<{ slot: bigint | null }>`
    select min(slot) as slot from wallet_manifest where address = ${address}`.execute(db);
  return rows[0]?.slot ?? null;
}

/** Of these addresses, those that the platform has used in any role. */
export async function knownAmong(db: Db, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ address: string }>`
    select distinct address from wallet_manifest where address = any(${[...addresses]}::text[])`.execute(db);
  return new Set(rows.map(({ address }) => address));
}

/** Lists entries after a number, oldest first. */
export function after(db: Db, number: number, role: WalletRole | null, limit: number): Promise<NotedWallet[]> {
  return db
    .selectFrom('walletManifest')
    .selectAll()
    .where('number', '>', number)
    .$if(role !== null, (query) => query.where('role', '=', role!))
    .orderBy('number')
    .limit(limit)
    .execute();
}

export async function hasNumber(db: Db, number: number): Promise<boolean> {
  const row = db.selectFrom('walletManifest').select('number').where('number', '=', number);
  return (await row.executeTakeFirst()) !== undefined;
}

/** True if the platform uses or used the address in any role. */
export async function isListed(db: Db, address: string): Promise<boolean> {
  const row = await db
    .selectFrom('walletManifest')
    .select('number')
    .where('role', 'in', [...WALLET_ROLES])
    .where('address', '=', address)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
