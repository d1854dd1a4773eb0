import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createLaunchJanitorActivities } from '../../activities/launch/janitor.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import { intakeOf, launchTerms } from '../support/launch/launch-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();

/** A launch that nothing touched for so many minutes. */
async function launchIn(state: 'received' | 'landing' | 'needs_recovery', minutes: number): Promise<string> {
  const terms = launchTerms();
  await insertIntake(db(), intakeOf(terms));
  const updatedAt = sql<Date>`now() - make_interval(mins => ${minutes})`;
  await db().updateTable('launches').set({ state, updatedAt }).where('quoteId', '=', terms.quoteId).execute();
  return terms.quoteId;
}

it('launches that stand still for hours, however many, keep none from getting a workflow', async () => {
  const expected: string[] = [];
  for (let index = 0; index < 250; index++) expected.push(await launchIn('landing', 600));
  for (let index = 0; index < 3; index++) expected.push(await launchIn('needs_recovery', 900));
  expected.push(await launchIn('received', 1));
  await launchIn('received', 0);
  const started: string[] = [];
  let beats = 0;
  const janitor = createLaunchJanitorActivities({
    db: db(),
    now: () => new Date(),
    eventDays: 30,
    logger: pino({ level: 'silent' }),
    heartbeat: () => void (beats += 1),
    startLaunch: async (quoteId) => void started.push(quoteId),
    startAirdrop: async (quoteId) => void started.push(`airdrop ${quoteId}`),
    signReceipts: async () => 0,
  });
  expect(await janitor.startMissingLaunches()).toBe(254);
  expect(started.toSorted()).toEqual(expected.toSorted());
  expect(beats).toBe(254);
});
