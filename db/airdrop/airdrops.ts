/** Airdrops: their plans, and what of them is delivered. */

import { type Selectable, sql } from 'kysely';
import type { AirdropShare } from '../../domain/airdrop/airdrop.ts';
import { type Db, transaction } from '../connect.ts';
import { ContradictionError } from '../errors.ts';
import * as recipientSets from './recipient-sets.ts';
import type { AirdropTable } from '../schema/airdrop.ts';

/** The airdrop of a launch whose token exists. */
export type Airdrop = Selectable<AirdropTable>;

/** An airdrop with everybody who gets something. */
export interface NewAirdrop extends Pick<
  Airdrop,
  'quoteId' | 'mint' | 'shareRaw' | 'recipientsHash' | 'recipientsUri'
> {
  readonly shares: readonly AirdropShare[];
}

/** One transaction of a delivery that is not finalized. */
export interface OpenBatch {
  readonly batch: number;
  readonly shares: readonly Pick<AirdropShare, 'wallet' | 'amountRaw'>[];
}

/** How far a delivery is. */
export interface AirdropProgress {
  readonly batches: number;
  readonly deliveredBatches: number;
  readonly recipients: number;
  readonly deliveredRecipients: number;
  /** What the finalized transactions brought, raw units. */
  readonly deliveredRaw: bigint;
}

/** Writes a plan; a repeat changes nothing. Throws a ContradictionError when another one is there. */
export function plan(db: Db, { shares, ...airdrop }: NewAirdrop): Promise<void> {
  return transaction(db, async (tx) => {
    const inserted = await tx
      .insertInto('airdrops')
      .values(airdrop)
      .onConflict((conflict) => conflict.doNothing())
      .returning('quoteId')
      .executeTakeFirst();
    if (inserted) {
      await recipientSets.keepForEver(tx, airdrop.recipientsHash);
      return writeShares(tx, airdrop.quoteId, shares);
    }
    const present = await byQuoteId(tx, airdrop.quoteId);
    const isSame = present?.shareRaw === airdrop.shareRaw && present.recipientsHash === airdrop.recipientsHash;
    if (!isSame) throw new ContradictionError(`airdrop/${airdrop.quoteId}`, 'another airdrop is recorded');
  });
}

/** Rows go in as columns: five thousand rows of parameters would be more than a statement takes. */
async function writeShares(db: Db, quoteId: string, shares: readonly AirdropShare[]): Promise<void> {
  const batches = Math.max(...shares.map(({ batch }) => batch));
  await sql`
    insert into airdrop_batches (quote_id, batch) select ${quoteId}::uuid, generate_series(1, ${batches}::integer)
  `.execute(db);
  await sql`
    insert into airdrop_shares (quote_id, position, wallet, amount_raw, batch)
    select ${quoteId}::uuid, * from unnest(
      ${shares.map(({ position }) => position)}::integer[],
      ${shares.map(({ wallet }) => wallet)}::text[],
      ${shares.map(({ amountRaw }) => amountRaw.toString())}::numeric[],
      ${shares.map(({ batch }) => batch)}::integer[]
    )
  `.execute(db);
}

/** The airdrop of a launch, or null. */
export async function byQuoteId(db: Db, quoteId: string): Promise<Airdrop | null> {
  return (await db.selectFrom('airdrops').selectAll().where('quoteId', '=', quoteId).executeTakeFirst()) ?? null;
}

/** The airdrop of a token, or null. */
export async function byMint(db: Db, mint: string): Promise<Airdrop | null> {
  return (await db.selectFrom('airdrops').selectAll().where('mint', '=', mint).executeTakeFirst()) ?? null;
}

/** How far the delivery of a planned airdrop is. */
export async function progressOf(db: Db, quoteId: string): Promise<AirdropProgress> {
  const { rows } = await sql<AirdropProgress>`
    select count(distinct batch)::integer as batches,
      (count(distinct batch) filter (where delivered_at is not null))::integer as delivered_batches,
      count(*)::integer as recipients,
      (count(*) filter (where delivered_at is not null))::integer as delivered_recipients,
      coalesce(sum(amount_raw) filter (where delivered_at is not null), 0)::numeric(39, 0) as delivered_raw
    from airdrop_shares join airdrop_batches using (quote_id, batch)
    where quote_id = ${quoteId}
  `.execute(db);
  const [progress] = rows;
  if (!progress) throw new Error(`no progress of airdrop ${quoteId}`);
  return progress;
}

/** Transactions that are not finalized, with their recipients, in order. */
export async function openBatches(db: Db, quoteId: string): Promise<OpenBatch[]> {
  const rows = await db
    .selectFrom('airdropBatches')
    .innerJoin('airdropShares', (join) =>
      join
        .onRef('airdropShares.quoteId', '=', 'airdropBatches.quoteId')
        .onRef('airdropShares.batch', '=', 'airdropBatches.batch'),
    )
    .select(['airdropBatches.batch', 'wallet', 'amountRaw'])
    .where('airdropBatches.quoteId', '=', quoteId)
    .where('deliveredAt', 'is', null)
    .orderBy('position')
    .execute();
  return [...Map.groupBy(rows, ({ batch }) => batch)].map(([batch, shares]) => ({ batch, shares }));
}

/**
 * Locks a batch until the database transaction ends. Throws when it is delivered already or its launch is not final: it must
 * not be signed then.
 */
export async function assertDue(db: Db, quoteId: string, batch: number): Promise<void> {
  const row = await db
    .selectFrom('airdropBatches')
    .innerJoin('launches', 'launches.quoteId', 'airdropBatches.quoteId')
    .select(['state', 'deliveredAt'])
    .where('airdropBatches.quoteId', '=', quoteId)
    .where('batch', '=', batch)
    .forUpdate('airdropBatches')
    .executeTakeFirst();
  if (row?.state === 'finalized' && row.deliveredAt === null) return;
  const why = row ? `launch is ${row.state}, delivered ${row.deliveredAt?.toISOString() ?? 'never'}` : 'not planned';
  throw new Error(`batch ${batch} of airdrop ${quoteId} is not due: ${why}`);
}

/** Books the finalized transaction of a batch; again is the same as once. */
export async function markBatch(
  db: Db,
  quoteId: string,
  batch: number,
  { signature, slot }: { readonly signature: string; readonly slot: bigint },
): Promise<void> {
  await db
    .updateTable('airdropBatches')
    .set({ signature, slot, deliveredAt: sql`now()` })
    .where('quoteId', '=', quoteId)
    .where('batch', '=', batch)
    .where('deliveredAt', 'is', null)
    .execute();
}

/** Notes that a delivery is begun. */
export async function noteTry(db: Db, quoteId: string): Promise<void> {
  await db
    .updateTable('airdrops')
    .set((eb) => ({ tries: eb('tries', '+', 1), triedAt: sql`now()` }))
    .where('quoteId', '=', quoteId)
    .where('deliveredAt', 'is', null)
    .execute();
}

/** Notes why a try did not deliver everything. */
export async function noteProblem(db: Db, quoteId: string, problem: string): Promise<void> {
  await db
    .updateTable('airdrops')
    .set({ problem })
    .where('quoteId', '=', quoteId)
    .where('deliveredAt', 'is', null)
    .execute();
}

/** Ends a delivery whose batches are all finalized. Throws when one is not. */
export async function markDelivered(db: Db, quoteId: string): Promise<void> {
  await db
    .updateTable('airdrops')
    .set({ deliveredAt: sql`now()`, problem: null })
    .where('quoteId', '=', quoteId)
    .where('deliveredAt', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('airdropBatches')
            .whereRef('airdropBatches.quoteId', '=', 'airdrops.quoteId')
            .where('airdropBatches.deliveredAt', 'is', null),
        ),
      ),
    )
    .execute();
  const airdrop = await byQuoteId(db, quoteId);
  if (!airdrop?.deliveredAt) throw new Error(`airdrop ${quoteId} has batches that are not delivered`);
}

/** Ends a delivery that can never come to its end; batches that are not delivered stay so. */
export async function giveUp(db: Db, quoteId: string): Promise<void> {
  await db
    .updateTable('airdrops')
    .set({ deliveredAt: sql`now()`, problem: null })
    .where('quoteId', '=', quoteId)
    .where('deliveredAt', 'is', null)
    .execute();
}

/** Quote ids of final launches whose airdrop is not delivered, oldest first. */
export async function undelivered(db: Db, limit = 1_000): Promise<string[]> {
  const rows = await waiting(db)
    .select('airdrops.quoteId')
    .orderBy('plannedAt')
    .orderBy('airdrops.quoteId')
    .limit(limit)
    .execute();
  return rows.map(({ quoteId }) => quoteId);
}

/** Airdrops of final launches whose last try had a problem, oldest first. */
export function failing(db: Db, limit: number): Promise<{ quoteId: string; problem: string | null }[]> {
  return waiting(db)
    .select(['airdrops.quoteId', 'airdrops.problem'])
    .where('airdrops.problem', 'is not', null)
    .orderBy('plannedAt')
    .orderBy('airdrops.quoteId')
    .limit(limit)
    .execute();
}

/** How many undelivered ones there are, and since when the longest has been waiting. */
export async function backlog(db: Db): Promise<{ readonly open: number; readonly oldestAt: Date | null }> {
  const { open, oldestAt } = await waiting(db)
    .select((eb) => [eb.fn.countAll<bigint>().as('open'), eb.fn.min('plannedAt').as('oldestAt')])
    .executeTakeFirstOrThrow();
  return { open: Number(open), oldestAt };
}

function waiting(db: Db) {
  return db
    .selectFrom('airdrops')
    .innerJoin('launches', 'launches.quoteId', 'airdrops.quoteId')
    .where('deliveredAt', 'is', null)
    .where('state', '=', sql.lit('finalized'));
}
