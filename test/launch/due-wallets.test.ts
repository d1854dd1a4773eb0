import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import * as emptyings from '../../db/launch/emptyings.ts';
import { intakeOf, launchTerms } from '../support/launch/launch-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();
beforeEach(async () => {
  await db().deleteFrom('launches').execute();
});

/** A finalized launch whose wallet has been due to be emptied for so many minutes, after so many tries. */
async function finalized(dueMinutes: number, emptyTries = 0): Promise<string> {
  const terms = launchTerms();
  await insertIntake(db(), intakeOf(terms));
  await db()
    .updateTable('launches')
    .set({ state: 'finalized', paymentSignature: 'p', launchedAt: new Date(), completedAt: new Date(), emptyTries })
    .set({ emptyAfter: sql<Date>`now() - make_interval(mins => ${dueMinutes})` })
    .where('quoteId', '=', terms.quoteId)
    .execute();
  return terms.quoteId;
}

async function pauseOf(quoteId: string): Promise<number> {
  const { seconds } = await db()
    .selectFrom('launches')
    .select(sql<number>`round(extract(epoch from empty_after - now()))::int`.as('seconds'))
    .where('quoteId', '=', quoteId)
    .executeTakeFirstOrThrow();
  return seconds;
}

describe('launch wallets that are due to be emptied', () => {
  it('are taken longest due first, and not again before a pause has passed', async () => {
    const [late, later] = [await finalized(5), await finalized(9)];
    expect(await emptyings.takeDue(db(), 1)).toEqual([later]);
    expect(await emptyings.takeDue(db())).toEqual([late]);
    expect(await emptyings.takeDue(db())).toEqual([]);
  });

  it('that fail for ever make room: the pause doubles up to a day', async () => {
    const pauses: number[] = [];
    for (const tries of [0, 1, 5, 20, 1_000_000]) {
      const quoteId = await finalized(1, tries);
      await emptyings.takeDue(db());
      pauses.push(await pauseOf(quoteId));
    }
    expect(pauses.map((seconds) => Math.round(seconds / 60))).toEqual([1, 2, 32, 1_440, 1_440]);
  });

  it('of others are reached although twenty fail for ever', async () => {
    for (let index = 0; index < 20; index++) await finalized(60);
    const fresh = await finalized(0);
    await emptyings.takeDue(db());
    expect(await emptyings.takeDue(db())).toEqual([fresh]);
  });

  it('are gone once the wallet is empty', async () => {
    await emptyings.markEmptied(db(), await finalized(5));
    expect(await emptyings.takeDue(db())).toEqual([]);
  });
});
