import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import { promiseCounts } from '../../db/platform/promise-counts.ts';
import { shortageOf } from '../../domain/launch/shortage.ts';
import type { DatabasePromise } from '../../domain/alarms/promises.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { address, bringTo, intakeOf, launchTerms } from '../support/launch/launch-rows.ts';

const { db } = useDatabase();

async function submitted(minutesAgo: number): Promise<string> {
  const terms = launchTerms();
  await insertIntake(db(), intakeOf(terms));
  await sql`update launches set submitted_at = now() - ${minutesAgo} * interval '1 minute' where quote_id = ${terms.quoteId}`.execute(
    db(),
  );
  return terms.quoteId;
}

const countsOf = async (name: DatabasePromise) => (await promiseCounts(db(), new Date())).get(name);

/** Runs a step and returns by how much each count of launches changed. */
async function changeBy(step: () => Promise<unknown>) {
  const before = await countsOf('launch');
  await step();
  const after = await countsOf('launch');
  const of = (name: 'asked' | 'kept' | 'refused' | 'unknown') => (after?.[name] ?? 0) - (before?.[name] ?? 0);
  return { asked: of('asked'), kept: of('kept'), refused: of('refused'), unknown: of('unknown') };
}

it('a launch that is submitted is asked for; two minutes later it is unknown, however often its row changes', async () => {
  expect(await changeBy(() => submitted(1))).toEqual({ asked: 1, kept: 0, refused: 0, unknown: 0 });
  const late = async () => {
    const quoteId = await submitted(3);
    await bringTo(db(), quoteId, 'landing');
  };
  expect(await changeBy(late)).toEqual({ asked: 1, kept: 0, refused: 0, unknown: 1 });
});

it('an open launch counts also once its window is over, an ended one does not', async () => {
  expect(await changeBy(() => submitted(500))).toEqual({ asked: 1, kept: 0, refused: 0, unknown: 1 });
  const ended = async () => {
    const quoteId = await submitted(500);
    await transitionLaunch(db(), quoteId, ['received'], 'not_landed', { reason: 'the quote came too late' });
  };
  expect(await changeBy(ended)).toEqual({ asked: 0, kept: 0, refused: 0, unknown: 0 });
});

it('one that did not land is refused; but not where the creator’s wallet cannot pay', async () => {
  const end = (reason: string) => async () => {
    const quoteId = await submitted(1);
    await transitionLaunch(db(), quoteId, ['received'], 'not_landed', { reason });
  };
  const lost = 'the bundle did not land before its blockhash expired';
  expect(await changeBy(end(lost))).toEqual({ asked: 1, kept: 0, refused: 1, unknown: 0 });
  const poor = shortageOf({ wallet: address(), held: 1n, payment: 9n, networkFee: 1n, rent: 1n });
  expect(await changeBy(end(poor ?? ''))).toEqual({ asked: 0, kept: 0, refused: 0, unknown: 0 });
});

it('late submits count once for each address that they came from', async () => {
  const late = (client: string) =>
    sql`insert into late_quotes (signature, quote_id, client, wire, blockhash_slot, last_valid_block_height)
      values (${address()}, gen_random_uuid(), ${client}, '', 1, 1)`.execute(db());
  const three = async () => {
    await late('10.0.0.1');
    await late('10.0.0.1');
    await late('10.0.0.2');
  };
  expect(await changeBy(three)).toEqual({ asked: 2, kept: 0, refused: 2, unknown: 0 });
});
