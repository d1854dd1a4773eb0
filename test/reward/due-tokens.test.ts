import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import * as rewardTokens from '../../db/reward/reward-tokens.ts';
import { rewardRoundId } from '../../activities/reward/round-id.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import { recordLaunch } from '../../db/launch/record-launch.ts';
import { bringTo, intakeOf, launchTerms, recordingOf } from '../support/launch/launch-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();

/** A reward token whose pool the index saw as this, all of it final for long. */
async function recorded(seen: string | null) {
  const fee = { mode: 'reward', rewardTaxBps: 100 } as const;
  const terms = launchTerms({ fee });
  await insertIntake(db(), intakeOf(terms));
  await bringTo(db(), terms.quoteId, 'recording');
  const recording = recordingOf(terms);
  const token = { ...recording.token, mode: 'reward', feeTier: null, rewardTaxBps: 100 } as const;
  await recordLaunch(db(), { ...recording, token });
  await rewardTokens.open(db(), token.mint, 'seed', `pot of ${token.mint}`);
  const { mint, pool } = token;
  await see(pool, seen);
  return { mint, pool };
}

/** The index saw the pool as this so many minutes ago; all that changed it is final unless told otherwise. */
async function see(pool: string, seen: string | null, minutesAgo = 10, changedSlot: bigint | null = null) {
  await db()
    .updateTable('poolCursors')
    .set({ seen, changedSlot, updatedAt: sql`now() - ${minutesAgo} * interval '1 minute'` })
    .where('pool', '=', pool)
    .execute();
}

async function dueMints(): Promise<string[]> {
  return (await rewardTokens.due(db(), '', 100)).map(({ mint }) => mint);
}

async function findNothing(): Promise<void> {
  for (const token of await rewardTokens.due(db(), '', 100)) await rewardTokens.noteNotDue(db(), token);
}

beforeEach(() => db().deleteFrom('tokens').execute());

describe('a reward token', () => {
  it('is looked at until no round is due, and then when its pool has changed', async () => {
    const { mint, pool } = await recorded('opened');
    expect(await dueMints()).toEqual([mint]);
    await findNothing();
    expect(await dueMints()).toEqual([]);
    await see(pool, 'traded');
    expect(await dueMints()).toEqual([mint]);
  });

  it('is looked at again where what changed its pool may not have been final', async () => {
    const { mint, pool } = await recorded('opened');
    await see(pool, 'traded', 10, 77n);
    await findNothing();
    expect(await dueMints()).toEqual([mint]);
    await see(pool, 'traded', 0);
    await findNothing();
    expect(await dueMints()).toEqual([mint]);
  });

  it('that traded while it was looked at is looked at again', async () => {
    const { mint, pool } = await recorded('opened');
    const [looked] = await rewardTokens.due(db(), '', 100);
    await see(pool, 'traded');
    await rewardTokens.noteNotDue(db(), looked!);
    expect(await dueMints()).toEqual([mint]);
  });

  it('whose pool nobody has seen is looked at every time', async () => {
    const { mint } = await recorded(null);
    await findNothing();
    expect(await dueMints()).toEqual([mint]);
  });

  it('is left alone while it has an open round', async () => {
    const { mint } = await recorded('opened');
    await rewardRounds.plan(db(), {
      id: rewardRoundId(mint, 1),
      mint,
      number: 1,
      openedSlot: 1n,
      window: { slot: 9, slots: 9 },
    });
    expect(await dueMints()).toEqual([]);
    await rewardRounds.end(db(), rewardRoundId(mint, 1), 'nothing to pay');
    expect(await dueMints()).toEqual([mint]);
  });

  it('that nobody trades is looked at once a week, longest first, for the tax of transfers between wallets', async () => {
    const [first, second, third] = [await recorded('a'), await recorded('b'), await recorded('c')];
    await findNothing();
    expect(await rewardTokens.quiet(db(), 10)).toEqual([]);
    const daysAgo = async (mint: string, days: number) => {
      const lookedAt = sql<Date>`now() - ${days} * interval '1 day'`;
      await db().updateTable('rewardTokens').set({ lookedAt }).where('mint', '=', mint).execute();
    };
    for (const [{ mint }, days] of [
      [first, 8],
      [second, 9],
      [third, 6],
    ] as const)
      await daysAgo(mint, days);
    const quiet = await rewardTokens.quiet(db(), 10);
    expect(quiet.map(({ mint }) => mint)).toEqual([second.mint, first.mint]);
    await rewardTokens.noteLook(db(), second.mint, true);
    expect((await rewardTokens.quiet(db(), 10)).map(({ mint }) => mint)).toEqual([first.mint]);
  });
});

describe('pages of reward tokens', () => {
  it('hold each that is due once, in the order of their pools', async () => {
    const tokens = [];
    for (let count = 0; count < 5; count++) tokens.push(await recorded(`seen ${count}`));
    const met: string[] = [];
    for (let after: string | undefined = ''; after !== undefined;) {
      const page = await rewardTokens.due(db(), after, 2);
      met.push(...page.map(({ pool }) => pool));
      after = page.at(-1)?.pool;
    }
    expect(met).toEqual(tokens.map(({ pool }) => pool).sort());
  });
});
