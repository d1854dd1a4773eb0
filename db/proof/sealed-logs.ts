/** Logs of receipts, of the list of wallets and of prices. Written by the worker alone. */

import { type Selectable, sql } from 'kysely';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { PriceTable } from '../../domain/reward/price-table.ts';
import type { LoggedPrice, WalletListRoot } from '../../domain/proof/sealed-log.ts';
import { logPurpose } from '../../domain/purpose.ts';
import { type Db, transaction } from '../connect.ts';
import { type DueLock, takeDueLock } from '../money/due-lock.ts';
import type { SealedLogTable } from '../schema/proof.ts';
import * as documents from './documents.ts';
import type { PackedDocument } from './documents.ts';

export type SealedLog = Selectable<SealedLogTable>;

/** Rows of one log: an hour of receipts, and a bound on what strangers can make the worker write. */
const MOST_RECEIPTS = 20_000;

/** True if there is a receipt that no log has, or the list of wallets differs from that of the newest log. */
export async function isDue(db: Db): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from receipts where log_number is null)
      or (select max(number) from wallet_manifest)
        is distinct from (select wallet_count from sealed_logs order by number desc limit 1) as due`.execute(db);
  return rows[0]!.due;
}

/** The log that is written and not sealed. */
export async function open(db: Db): Promise<SealedLog | null> {
  const row = db.selectFrom('sealedLogs').selectAll().where('sealSignature', 'is', null);
  return (await row.executeTakeFirst()) ?? null;
}

export async function newest(db: Db): Promise<SealedLog | null> {
  return (await db.selectFrom('sealedLogs').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst()) ?? null;
}

/** The newest whose seal is final and whose document the database has. */
export async function newestSealed(db: Db): Promise<SealedLog | null> {
  const sealed = db.selectFrom('sealedLogs').selectAll().where('sealSignature', 'is not', null);
  const known = sealed.where('receiptCount', 'is not', null);
  return (await known.orderBy('number', 'desc').limit(1).executeTakeFirst()) ?? null;
}

/** Null while its seal is not final. */
export async function sealed(db: Db, number: number): Promise<SealedLog | null> {
  const row = db.selectFrom('sealedLogs').selectAll().where('number', '=', number);
  return (await row.where('sealSignature', 'is not', null).executeTakeFirst()) ?? null;
}

const PricesShape = Compile(
  Type.Array(Type.Object({ mint: Type.String(), usd: Type.String(), source: Type.String(), at: Type.String() })),
);

/**
 * The newest log that was sealed before a slot. Null if there is none, or a restored database lost its document.
 */
export async function newestTableBefore(db: Db, slot: bigint): Promise<PriceTable | null> {
  const sealed = db.selectFrom('sealedLogs').select(['number', 'root', 'sealSlot', 'prices']);
  const newest = sealed.where('sealSlot', '<', slot).orderBy('number', 'desc').limit(1);
  const log = await newest.executeTakeFirst();
  if (!log || log.prices === null || log.sealSlot === null) return null;
  const { number, root, sealSlot, prices } = log;
  if (!PricesShape.Check(prices)) throw new Error(`the prices of log ${number} cannot be read`);
  return { number, root, sealSlot, prices };
}

export interface LogContent {
  readonly wallets: WalletListRoot;
  readonly prices: readonly LoggedPrice[];
}

export interface NextLog extends LogContent {
  readonly number: number;
  readonly previous: string | null;
  readonly digests: readonly string[];
}

/**
 * Writes the next log with all receipts that none has, and stores its document. The unsealed one stays, if any.
 * `pack` makes the document.
 */
export function write(
  db: Db,
  { wallets, prices }: LogContent,
  pack: (log: NextLog) => Promise<PackedDocument>,
): Promise<SealedLog> {
  return transaction(db, async (tx) => {
    await lockLogs(tx);
    const [begun, last] = [await open(tx), await newest(tx)];
    if (begun) return begun;
    const number = 1 + (last?.number ?? 0);
    const digests = await takeReceipts(tx, number);
    const document = await pack({ number, previous: last?.root ?? null, digests, wallets, prices });
    await documents.store(tx, document);
    const listed = { walletCount: wallets.count, walletRoot: wallets.root };
    const content = { receiptCount: digests.length, ...listed, prices: JSON.stringify(prices) };
    const row = tx.insertInto('sealedLogs').values({ number, root: document.root, ...content });
    return row.returningAll().executeTakeFirstOrThrow();
  });
}

/** One writer at a time, of a row that may not exist yet. */
async function lockLogs(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('sealed_logs'))`.execute(tx);
}

/** Takes the oldest: a flood of new ones keeps none from its log. */
async function takeReceipts(tx: Db, logNumber: number): Promise<string[]> {
  const unlogged = tx.selectFrom('receipts').select('quoteId').where('logNumber', 'is', null);
  const taken = await tx
    .updateTable('receipts')
    .set({ logNumber })
    .where('quoteId', 'in', unlogged.orderBy('signedAt').limit(MOST_RECEIPTS).forUpdate())
    .returning('digest')
    .execute();
  return taken.map(({ digest }) => digest);
}

/** @throws when the log is sealed, or does not exist */
export async function lockDue(tx: Db, number: number): Promise<DueLock> {
  const lock = await takeDueLock(
    tx,
    () => [logPurpose(number)],
    () =>
      tx
        .selectFrom('sealedLogs')
        .select('number')
        .where('number', '=', number)
        .where('sealSignature', 'is', null)
        .forUpdate()
        .executeTakeFirst(),
  );
  if (lock) return lock;
  throw new Error(`the seal of log ${number} is not due`);
}

export interface FinalSeal {
  /** Named by the chain's transaction, hex. */
  readonly root: string;
  readonly signature: string;
  readonly slot: bigint;
}

/**
 * Records the seal of a log. Where it names another root, a restored database lost that log: its root stays for the
 * next log to name, and the receipts of this database's own go into the next. False then.
 */
export function settle(db: Db, number: number, { root, signature, slot }: FinalSeal): Promise<boolean> {
  const seal = { sealSignature: signature, sealSlot: slot };
  return transaction(db, async (tx) => {
    await lockLogs(tx);
    const own = await tx.selectFrom('sealedLogs').selectAll().where('number', '=', number).executeTakeFirst();
    if (own?.root === root) {
      await tx.updateTable('sealedLogs').set(seal).where('number', '=', number).execute();
      return true;
    }
    const lost = { root, receiptCount: null, walletCount: null, walletRoot: null, prices: null, ...seal };
    const row = tx.insertInto('sealedLogs').values({ number, ...lost });
    await row.onConflict((conflict) => conflict.column('number').doUpdateSet(lost)).execute();
    await tx.updateTable('receipts').set({ logNumber: null }).where('logNumber', '=', number).execute();
    return false;
  });
}
