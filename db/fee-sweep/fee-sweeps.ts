/** Sweeps of fees. At most one harvest of a token is open. */

import { type Insertable, type Selectable, sql } from 'kysely';
import {
  DEPOSIT_TAX_SWEEP,
  type FeeSweepKey,
  type FeeSweepState,
  feeSweepPurpose,
} from '../../domain/fee-sweep/fee-sweep.ts';
import * as auditLog from '../platform/audit-log.ts';
import { type Db, transaction } from '../connect.ts';
import { positionOf, type SweptPosition } from './fee-positions.ts';
import type { PlannedPrice } from '../prices/prices.ts';
import type { FeeSweepTable } from '../schema/fee-sweep.ts';
import type { Decision } from '../platform/switches.ts';

/** One sweep of a token's fees, from its plan to its end. */
export type FeeSweep = Selectable<FeeSweepTable>;

/** A sweep with its position. */
export interface PositionSweep extends FeeSweep {
  readonly position: SweptPosition;
}

/** A harvest as it is planned. */
export type NewFeeSweep = Required<
  Pick<
    Insertable<FeeSweepTable>,
    | 'mint'
    | 'feeKeyMint'
    | 'claimableBaseRaw'
    | 'claimableQuoteRaw'
    | 'quoteUsd'
    | 'priceSource'
    | 'pricedAt'
    | 'baseUsd'
    | 'buybackBps'
    | 'flywheelBps'
  >
>;

/** The same with that of the launched token. */
export type SweepPrices = PlannedPrice & Pick<FeeSweep, 'baseUsd'>;

/** What became of the tax that was withheld when a reward launch's liquidity was deposited. */
export interface DepositTax {
  /** False while it may lie in the pool's vault, or at the mint. */
  readonly isBurned: boolean;
  /** Tax of trades that was withdrawn along with it: it lies in the rewards authority's account and is the holders', raw units. */
  readonly excessRaw: bigint;
}

/** Sweeps that have not come to their end. */
export interface OpenSweeps {
  readonly planned: number;
  readonly harvested: number;
  /** Those of them that were tried before without success. */
  readonly failing: number;
}

/** Notes that the fees of a pool were looked at, when it had this hash. */
export async function noteLook(db: Db, pool: string, seen: string | null): Promise<void> {
  await db.updateTable('poolCursors').set({ feesSeen: seen }).where('pool', '=', pool).execute();
}

/** Plans the next harvest of a token. False where one is open. */
export async function plan(db: Db, sweep: NewFeeSweep): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('feeSweeps')
    .values({
      ...sweep,
      number: sql<number>`(select coalesce(max(number), 0) + 1 from fee_sweeps where mint = ${sweep.mint})`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Plans the burn of the tax on a reward launch's deposit, once for each launch. */
export async function planDepositTax(
  db: Db,
  mint: string,
  price: SweepPrices & Pick<NewFeeSweep, 'buybackBps' | 'flywheelBps'>,
): Promise<void> {
  await db
    .insertInto('feeSweeps')
    .values({ mint, number: DEPOSIT_TAX_SWEEP, ...price })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Pauses of 30 minutes, 1, 2, 4 … hours and at most a day: longer than a try takes, and soon enough for the next round. */
const NEXT_TRY = sql<Date>`now() + least(interval '1 day', interval '30 minutes' * power(2, least(tries, 20)))`;

/** Takes open sweeps that are due, longest due first; each is due again later, the more often the later. */
export async function takeDue(db: Db, limit = 100): Promise<FeeSweepKey[]> {
  return (
    db
      .with('due', (cte) =>
        cte
          .selectFrom('feeSweeps')
          .select(['mint', 'number'])
          .where(sql<boolean>`state <> 'done'`)
          .where('dueAt', '<=', sql<Date>`now()`)
          .orderBy('dueAt')
          .limit(limit)
          .forUpdate()
          .skipLocked(),
      )
      .updateTable('feeSweeps')
      .from('due')
      .set((eb) => ({ tries: eb('tries', '+', 1), dueAt: NEXT_TRY }))
      .whereRef('feeSweeps.mint', '=', 'due.mint')
      .whereRef('feeSweeps.number', '=', 'due.number')
      // Tells the planner that the index of open sweeps has them.
      .where(sql<boolean>`fee_sweeps.state <> 'done'`)
      .returning(['feeSweeps.mint', 'feeSweeps.number'])
      .execute()
  );
}

/** A sweep with the position it collects from, or null. */
export async function byKey(db: Db, { mint, number }: FeeSweepKey): Promise<PositionSweep | null> {
  const [sweep, position] = await Promise.all([sweepOf(db, { mint, number }), positionOf(db, mint)]);
  if (!sweep) return null;
  if (!position) throw new Error(`token ${mint} has a fee sweep, but no position of the platform`);
  return { ...sweep, position };
}

function sweepOf(db: Db, { mint, number }: FeeSweepKey): Promise<FeeSweep | undefined> {
  const sweeps = db.selectFrom('feeSweeps').selectAll().where('mint', '=', mint).where('number', '=', number);
  return sweeps.executeTakeFirst();
}

/** Moves a sweep on from a state; `done` is for ever. False when it was not in that state any more. `excessRaw`: see DepositTax. */
export async function advance(
  db: Db,
  { mint, number }: FeeSweepKey,
  from: FeeSweepState,
  to: FeeSweepState,
  excessRaw?: bigint,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('feeSweeps')
    .set({ state: to, problem: null, ...(to === 'done' && { settledAt: sql<Date>`now()` }) })
    .$if(excessRaw !== undefined, (query) => query.set({ excessRaw: excessRaw! }))
    .where('mint', '=', mint)
    .where('number', '=', number)
    .where('state', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** What became of the tax on a reward launch's deposit. */
export async function depositTax(db: Db, mint: string): Promise<DepositTax> {
  const { state, excessRaw } = (await sweepOf(db, { mint, number: DEPOSIT_TAX_SWEEP })) ?? {};
  return { isBurned: state === 'done', excessRaw: excessRaw ?? 0n };
}

/** Values a sweep that is about to be signed with the prices of that moment. */
export async function reprice(db: Db, { mint, number }: FeeSweepKey, prices: SweepPrices): Promise<void> {
  const { quoteUsd, priceSource, pricedAt, baseUsd } = prices;
  await db
    .updateTable('feeSweeps')
    .set({ quoteUsd, priceSource, pricedAt, baseUsd })
    .where('mint', '=', mint)
    .where('number', '=', number)
    .where('state', '=', 'planned')
    .execute();
}

/**
 * Takes back a planned sweep; its number is free again. Not where something was signed that may take effect, or has.
 * Another worker may have carried it out meanwhile, which is why there is nothing left to collect. Its fees are looked at again.
 */
export function cancel(db: Db, { mint, number }: FeeSweepKey): Promise<void> {
  return transaction(db, async (tx) => {
    if (await deletePlanned(tx, { mint, number })) {
      await tx.updateTable('poolCursors').set({ feesSeen: null }).where('mint', '=', mint).execute();
    }
  });
}

async function deletePlanned(db: Db, { mint, number }: FeeSweepKey): Promise<boolean> {
  const purpose = feeSweepPurpose({ mint, number });
  const { numDeletedRows } = await db
    .deleteFrom('feeSweeps')
    .where('mint', '=', mint)
    .where('number', '=', number)
    .where('state', '=', 'planned')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('chainTransactions')
            .select('attempt')
            .where('purpose', '=', purpose)
            .where(sql<boolean>`status not in ('dead', 'abandoned') and not error_finalized`),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Notes why a try did not get to the end. */
export async function noteProblem(db: Db, { mint, number }: FeeSweepKey, problem: string): Promise<void> {
  await db
    .updateTable('feeSweeps')
    .set({ problem })
    .where('mint', '=', mint)
    .where('number', '=', number)
    .where(sql<boolean>`state <> 'done'`)
    .execute();
}

/** Open sweeps, of one token or of all, those tried most first; `failing`: only those that were tried before. */
export function open(
  db: Db,
  { mint, failing }: { readonly mint?: string | undefined; readonly failing?: boolean | undefined },
  limit: number,
): Promise<FeeSweep[]> {
  return db
    .selectFrom('feeSweeps')
    .selectAll()
    .where(sql<boolean>`state <> 'done'`)
    .$if(mint !== undefined, (query) => query.where('mint', '=', mint!))
    .$if(failing === true, (query) => query.where('problem', 'is not', null))
    .orderBy('tries', 'desc')
    .orderBy('plannedAt')
    .orderBy('mint')
    .limit(limit)
    .execute();
}

/** Makes open sweeps due at once, of one token or of all; answers how many. */
export function makeDue(db: Db, mint: string | undefined, { actor, note }: Decision): Promise<number> {
  return transaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('feeSweeps')
      .set({ dueAt: sql<Date>`now()` })
      .where(sql<boolean>`state <> 'done'`)
      .$if(mint !== undefined, (query) => query.where('mint', '=', mint!))
      .executeTakeFirst();
    const subject = mint === undefined ? 'fees' : `token/${mint}`;
    if (numUpdatedRows > 0n) await auditLog.append(tx, { actor, action: 'fees.retry', subject, note });
    return Number(numUpdatedRows);
  });
}

/** How many sweeps are open, by state, and how many of them have a problem. */
export async function countOpen(db: Db): Promise<OpenSweeps> {
  const { planned, harvested, failing } = await db
    .selectFrom('feeSweeps')
    .where(sql<boolean>`state <> 'done'`)
    .select((eb) => [
      eb.fn.countAll<bigint>().filterWhere('state', '=', 'planned').as('planned'),
      eb.fn.countAll<bigint>().filterWhere('state', '=', 'harvested').as('harvested'),
      eb.fn.countAll<bigint>().filterWhere('problem', 'is not', null).as('failing'),
    ])
    .executeTakeFirstOrThrow();
  return { planned: Number(planned), harvested: Number(harvested), failing: Number(failing) };
}
