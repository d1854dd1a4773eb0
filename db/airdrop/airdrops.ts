import { type Selectable, sql } from 'kysely';
import type { AirdropShare } from '../../domain/airdrop/airdrop.ts';
import { type Db, transaction } from '../connect.ts';
import { ContradictionError } from '../errors.ts';
import { airdropPurpose, airdropSealPurpose } from '../../domain/purpose.ts';
import { type DueLock, takeDueLock, type Unsigned } from '../money/due-lock.ts';
import * as recipientSets from './recipient-sets.ts';
import type { AirdropTable } from '../schema/airdrop.ts';
import { inState } from '../../domain/in-state.ts';

export type Airdrop = Selectable<AirdropTable>;

export interface NewAirdrop extends Pick<
  Airdrop,
  'quoteId' | 'mint' | 'shareRaw' | 'recipientsHash' | 'recipientsUri'
> {
  readonly shares: readonly AirdropShare[];
}

export interface OpenBatch {
  readonly batch: number;
  readonly shares: readonly Pick<AirdropShare, 'wallet' | 'amountRaw'>[];
}

export interface AirdropProgress {
  readonly batches: number;
  readonly deliveredBatches: number;
  readonly recipients: number;
  readonly deliveredRecipients: number;
  /** By finalized transactions. */
  readonly deliveredRaw: bigint;
}

/**
 * A repeat changes nothing.
 *
 * @throws ContradictionError when a different plan exists
 */
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

/** Writes the shares as column arrays: five thousand rows would exceed a statement's parameters. */
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

export async function byQuoteId(db: Db, quoteId: string): Promise<Airdrop | null> {
  return (await db.selectFrom('airdrops').selectAll().where('quoteId', '=', quoteId).executeTakeFirst()) ?? null;
}

export async function byMint(db: Db, mint: string): Promise<Airdrop | null> {
  return (await db.selectFrom('airdrops').selectAll().where('mint', '=', mint).executeTakeFirst()) ?? null;
}

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
 * Batches share the lock on the airdrop's row, so they are persisted concurrently; ending the airdrop needs it
 * exclusively.
 *
 * @throws when the batch is delivered, the airdrop is not sealed or has ended, or its launch is not final
 */
export async function lockDue(tx: Db, quoteId: string, batch: number): Promise<DueLock> {
  const problem = await takeDueLock(
    tx,
    () => [airdropPurpose(quoteId, batch)],
    async () => {
      const airdrop = await lockAirdrop(tx, quoteId).forShare().executeTakeFirst();
      return { why: await whyNotDue(tx, airdrop, batch) };
    },
  );
  if (problem?.row.why === null) return problem;
  throw new Error(`batch ${batch} of airdrop ${quoteId} is not due: ${problem?.row.why}`);
}

function lockAirdrop(tx: Db, quoteId: string) {
  return tx.selectFrom('airdrops').select(['quoteId', 'deliveredAt', 'sealSignature']).where('quoteId', '=', quoteId);
}

async function whyNotDue(
  tx: Db,
  airdrop: Pick<Airdrop, 'quoteId' | 'deliveredAt' | 'sealSignature'> | undefined,
  batch: number,
): Promise<string | null> {
  if (!airdrop) return 'not planned';
  const { quoteId, deliveredAt, sealSignature } = airdrop;
  if (deliveredAt !== null) return `the airdrop ended at ${deliveredAt.toISOString()}`;
  if (sealSignature === null) return 'its list is not sealed';
  const row = await tx
    .selectFrom('airdropBatches')
    .innerJoin('launches', 'launches.quoteId', 'airdropBatches.quoteId')
    .select(['state', 'deliveredAt'])
    .where('airdropBatches.quoteId', '=', quoteId)
    .where('batch', '=', batch)
    .forUpdate('airdropBatches')
    .executeTakeFirst();
  if (!row) return 'not planned';
  if (inState(row, 'finalized')?.deliveredAt === null) return null;
  return `launch is ${row.state}, delivered ${row.deliveredAt?.toISOString() ?? 'never'}`;
}

export interface LockedAirdrop {
  readonly quoteId: string;
  readonly isSealed: boolean;
  readonly open: readonly OpenBatch[];
}

/** Null if the airdrop has ended or is not planned. */
export function lockAllDue(tx: Db, quoteId: string): Promise<DueLock<LockedAirdrop> | null> {
  const purposes = ({ open, isSealed }: LockedAirdrop) => [
    ...(isSealed ? [] : [airdropSealPurpose(quoteId)]),
    ...open.map(({ batch }) => airdropPurpose(quoteId, batch)),
  ];
  return takeDueLock(tx, purposes, async () => {
    const airdrop = await lockAirdrop(tx, quoteId).forUpdate().executeTakeFirst();
    if (!airdrop || airdrop.deliveredAt !== null) return null;
    return { quoteId, isSealed: airdrop.sealSignature !== null, open: await openBatches(tx, quoteId) };
  });
}

/** Idempotent. */
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

export async function noteTry(db: Db, quoteId: string): Promise<void> {
  await db
    .updateTable('airdrops')
    .set((eb) => ({ tries: eb('tries', '+', 1), triedAt: sql`now()` }))
    .where('quoteId', '=', quoteId)
    .where('deliveredAt', 'is', null)
    .execute();
}

export async function noteProblem(db: Db, quoteId: string, problem: string): Promise<void> {
  await db
    .updateTable('airdrops')
    .set({ problem })
    .where('quoteId', '=', quoteId)
    .where('deliveredAt', 'is', null)
    .execute();
}

/** @throws when a batch is not finalized */
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

/** Deletes the root of a document whose seal is not final: no reader may take it for sealed. */
export async function giveUp({ tx, row: { quoteId } }: Unsigned<LockedAirdrop>): Promise<void> {
  const rootOfFinalSeal = sql<string | null>`case when seal_signature is not null or exists (
    select from lane_steps where purpose = ${airdropSealPurpose(quoteId)} and state = 'done'
  ) then sealed_root end`;
  await tx
    .updateTable('airdrops')
    .set({ deliveredAt: sql`now()`, problem: null, sealedRoot: rootOfFinalSeal })
    .where('quoteId', '=', quoteId)
    .execute();
}

/** Lists undelivered airdrops of final launches, oldest first. */
export async function undelivered(db: Db, limit = 1_000): Promise<string[]> {
  const rows = await waiting(db)
    .select('airdrops.quoteId')
    .orderBy('plannedAt')
    .orderBy('airdrops.quoteId')
    .limit(limit)
    .execute();
  return rows.map(({ quoteId }) => quoteId);
}

/** Lists airdrops of final launches whose last attempt failed, oldest first. */
export function failing(db: Db, limit: number): Promise<{ quoteId: string; problem: string | null }[]> {
  return waiting(db)
    .select(['airdrops.quoteId', 'airdrops.problem'])
    .where('airdrops.problem', 'is not', null)
    .orderBy('plannedAt')
    .orderBy('airdrops.quoteId')
    .limit(limit)
    .execute();
}

/** Counts undelivered airdrops of final launches. */
export async function backlog(db: Db): Promise<number> {
  const { open } = await waiting(db)
    .select((eb) => eb.fn.countAll<bigint>().as('open'))
    .executeTakeFirstOrThrow();
  return Number(open);
}

function waiting(db: Db) {
  return db
    .selectFrom('airdrops')
    .innerJoin('launches', 'launches.quoteId', 'airdrops.quoteId')
    .where('deliveredAt', 'is', null)
    .where('state', '=', sql.lit('finalized'));
}
