import { type KyselyPlugin, sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as laneChecks from '../../db/money/lane-checks.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { fillLanes, fillLaneSteps } from '../support/db/fill-lanes.ts';

const { db } = useDatabase();

/** More than two pages of each lane. */
const STEPS = 2_345;
const LANES = 3;

const checked = async () => {
  const rows = await db().selectFrom('laneChecks').select(['lane', 'number']).orderBy('lane').execute();
  return rows.map(({ number }) => number);
};

/** Calls `onQuery` before each query. */
function watched(onQuery: () => void) {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      onQuery();
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  return db().withPlugin(plugin);
}

describe('the check that lanes follow from their steps', () => {
  beforeAll(() => fillLanes(db(), LANES));
  beforeEach(async () => {
    await sql`truncate lane_steps, lane_checks, chain_transactions`.execute(db());
    await fillLaneSteps(db(), { lanes: LANES, from: 1, to: STEPS });
  });

  it('finds nothing in whole lanes, and keeps how far it read', async () => {
    expect(await laneChecks.broken(db())).toEqual([]);
    expect(await checked()).toEqual([]);
    expect(await laneChecks.check(db())).toEqual([]);
    expect(await checked()).toEqual([STEPS, STEPS, STEPS]);
  });

  it('reads only the steps since the last check', async () => {
    await laneChecks.check(db());
    await fillLaneSteps(db(), { lanes: LANES, from: STEPS + 1, to: STEPS + 7 });
    let statements = 0;
    expect(await laneChecks.check(watched(() => (statements += 1)))).toEqual([]);
    // The kept places, the steps since, and the new places.
    expect(statements).toBe(3);
    expect(await checked()).toEqual([STEPS + 7, STEPS + 7, STEPS + 7]);
  });

  it.each([
    [
      'the newest steps of a lane are missing',
      () => sql`delete from lane_steps where lane = 1 and number > ${STEPS - 3}`,
    ],
    ['an older step is missing', () => sql`delete from lane_steps where lane = 1 and number = 1200`],
    ['the first step is missing', () => sql`delete from lane_steps where lane = 1 and number = 1`],
    [
      'a step is beyond the lane',
      () => sql`update lanes set number = number - 1, value = value - 1099511627776 where lane = 1`,
    ],
    [
      'a step starts at another value',
      () => sql`update lane_steps set from_value = from_value + 1 where lane = 1 and number = 9`,
    ],
    [
      'a step is not final',
      () => sql`
      update lane_steps set state = 'open', signature = null, slot = null where lane = 1 and number = 9`,
    ],
  ])('finds a lane of which %s', async (_, change) => {
    await change().execute(db());
    expect((await laneChecks.check(db())).map(({ lane }) => lane)).toEqual([1]);
    expect((await laneChecks.broken(db())).map(({ lane }) => lane)).toEqual([1]);
  });

  it('starts at the first step where a restore lost the step that it had reached', async () => {
    await laneChecks.check(db());
    await sql`delete from lane_steps where lane = 1 and number > 100`.execute(db());
    const [broken] = await laneChecks.check(db());
    expect(broken).toMatchObject({ lane: 1, reached: 100, number: STEPS });
    await sql`update lanes set number = 100, value = 100 * 1099511627776 where lane = 1`.execute(db());
    expect(await laneChecks.check(db())).toEqual([]);
    expect(await checked()).toEqual([STEPS, 100, STEPS]);
  });

  it('goes on where it was cut off', async () => {
    let statements = 0;
    const cut = watched(() => {
      statements += 1;
      if (statements > 3) throw new Error('cut off');
    });
    await expect(laneChecks.check(cut)).rejects.toThrow('cut off');
    expect(await checked()).toEqual([1_000, 1_000, 1_000]);
    expect(await laneChecks.check(db())).toEqual([]);
  });
});
