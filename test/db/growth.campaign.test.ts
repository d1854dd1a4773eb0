import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BufferMeter, createBufferMeter } from '../support/db/growth/buffers.ts';
import { fillHistory } from '../support/db/growth/fill-history.ts';
import { GROWING, type StandingStatement, STANDING_STATEMENTS } from '../support/db/growth/standing-statements.ts';
import { useDatabase } from '../support/db/use-database.ts';

const LAUNCHES = 2_000;
const TIMES = 10;

/** Growth that is no growth with history. */
const MOST_GROWTH = 1.25;

/** Levels that indexes gain, over all probes of a statement. */
const INDEX_LEVELS = 8;

const [young, old] = [useDatabase(), useDatabase()];
let meters: readonly BufferMeter[] = [];

beforeAll(async () => {
  meters = [young, old].map(({ url }) => createBufferMeter(url()));
  for (const [place, { db }] of meters.entries()) {
    const launches = LAUNCHES * TIMES ** place;
    await fillHistory(db, { launches, movements: launches * 10 });
  }
}, 600_000);
afterAll(() => Promise.all(meters.map(({ db }) => db.destroy())));

describe('with ten times the history and the same open work', () => {
  const measured = Object.entries<StandingStatement>(STANDING_STATEMENTS).flatMap(([name, statement]) =>
    typeof statement === 'string' ? [] : [[name, statement] as const],
  );

  it.each(measured)('%s touches no more of the database, but for named reasons', async (name, statement) => {
    const touched: number[] = [];
    for (const { buffersOf } of meters) {
      await buffersOf(statement);
      touched.push(await buffersOf(statement));
    }
    const [before = 0, after = 0] = touched;
    expect(after, `${before} buffers before`).toBeLessThanOrEqual(
      before * (GROWING[name]?.most ?? MOST_GROWTH) + INDEX_LEVELS,
    );
  });
});
