/**
 * A lane's value follows from its final steps, each of which starts at the value before it. They are read in pages from
 * a kept step on, so neither time nor statements grow with what was checked before.
 */

import { sql } from 'kysely';
import type { Db } from '../connect.ts';

export interface BrokenLane {
  readonly lane: number;
  /** Number of the lane's last step, by its row. */
  readonly number: number;
  readonly value: bigint;
  /** Last step that was read; 0 without one. */
  readonly reached: number;
}

/** The step of a lane up to which it was read. */
interface Place {
  readonly lane: number;
  readonly number: number;
  readonly value: bigint;
}

interface Page extends BrokenLane {
  readonly reachedValue: bigint;
  readonly steps: bigint;
  readonly isLinked: boolean;
}

/** Steps of each lane that one statement reads: all lanes together take less than a second. */
const PAGE = 1_000;

/** Lists lanes that do not follow from their steps: the database was restored inconsistently. */
export function broken(db: Db): Promise<BrokenLane[]> {
  return walk(db, () => Promise.resolve());
}

/** The same, and keeps how far each lane was read, after each page: a check that was cut off goes on there. */
export function check(db: Db): Promise<BrokenLane[]> {
  return walk(db, (pages) => keep(db, pages));
}

async function walk(db: Db, onPage: (pages: readonly Page[]) => Promise<void>): Promise<BrokenLane[]> {
  const found: BrokenLane[] = [];
  for (let from = await keptPlaces(db); from.length > 0;) {
    const pages = await readPages(db, from);
    await onPage(pages.filter(({ isLinked, steps }) => isLinked && steps > 0n));
    found.push(...pages.filter(isBroken));
    from = pages.filter((page) => page.isLinked && !isAtEnd(page)).map(placeOf);
  }
  return found.toSorted((a, b) => a.lane - b.lane);
}

function isAtEnd({ steps }: Page): boolean {
  return steps < PAGE;
}

function isBroken(page: Page): boolean {
  if (!page.isLinked) return true;
  return isAtEnd(page) && (page.reached !== page.number || page.reachedValue !== page.value);
}

function placeOf({ lane, reached, reachedValue }: Page): Place {
  return { lane, number: reached, value: reachedValue };
}

/** A check whose step is not final any more (the lane was set back, or restored) starts at the first step. */
async function keptPlaces(db: Db): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select lanes.lane, coalesce(step.number, 0) as number, coalesce(step.to_value, 0)::numeric(20, 0) as value
    from lanes left join lane_checks on lane_checks.lane = lanes.lane
    left join lane_steps as step on step.lane = lane_checks.lane and step.number = lane_checks.number
      and step.to_value = lane_checks.value and step.state = 'done'
    order by lane`.execute(db);
  return rows;
}

async function readPages(db: Db, places: readonly Place[]): Promise<Page[]> {
  const from = sql.join(
    places.map(({ lane, number, value }) => sql`(${lane}::integer, ${number}::integer, ${value}::numeric)`),
  );
  const { rows } = await sql<Page>`
    select lanes.lane, lanes.number, lanes.value, page.steps, page.is_linked, page.reached, page.reached_value
    from (values ${from}) as place (lane, number, value) join lanes using (lane) cross join lateral (
      select count(*) as steps, coalesce(max(number), place.number) as reached,
        coalesce(max(to_value), place.value)::numeric(20, 0) as reached_value,
        coalesce(bool_and(number = number_before + 1 and from_value = value_before), true) as is_linked
      from (
        select number, from_value, to_value, lag(number, 1, place.number) over (order by number) as number_before,
          lag(to_value, 1, place.value) over (order by number) as value_before
        from (
          select number, from_value, to_value from lane_steps
          where lane_steps.lane = place.lane and state = 'done' and lane_steps.number > place.number
          order by number limit ${PAGE}
        ) as next
      ) as step
    ) as page`.execute(db);
  return rows;
}

async function keep(db: Db, pages: readonly Page[]): Promise<void> {
  if (pages.length === 0) return;
  const rows = pages.map(placeOf).toSorted((a, b) => a.lane - b.lane);
  await db
    .insertInto('laneChecks')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('lane').doUpdateSet((eb) => ({
        number: eb.ref('excluded.number'),
        value: eb.ref('excluded.value'),
        checkedAt: sql<Date>`now()`,
      })),
    )
    .execute();
}
