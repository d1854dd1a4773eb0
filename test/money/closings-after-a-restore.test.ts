import { REMEDIES } from '../../worker/money/remedies.ts';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createRemedyActivities } from '../../activities/money/remedies/activities.ts';
import { laneOf } from '../../chain/lanes/lane.ts';
import { type LaneSecret, stepValue } from '../../chain/lanes/lane-secret.ts';
import * as laneSteps from '../../db/money/lane-steps.ts';
import * as lanes from '../../db/money/lanes.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import { rewardPurpose } from '../../domain/reward/purpose.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { laneRow } from '../support/lanes/lane-row.ts';
import { signature } from '../support/launch/launch-rows.ts';
import { launchedToken, rewardFacts } from '../support/launch/launched-token.ts';

const { db } = useDatabase();
const secret = new Uint8Array(32).fill(9) as unknown as LaneSecret;

/** An open round with one planned payout. */
async function openRound() {
  const { mint } = await launchedToken(db(), rewardFacts(100));
  const key = { roundId: randomUUID(), n: 3 };
  await rewardRounds.plan(db(), { id: key.roundId, mint, number: 1, openedSlot: 7n, window: { slot: 9, slots: 9 } });
  await db()
    .insertInto('rewardTransactions')
    .values({ ...key, mint, kind: 'payout' })
    .execute();
  return key;
}

/** The payout as a final step of its lane, which the restored ledger does not have. */
async function lostStep({ roundId, n }: rewardTransactions.RewardTransactionKey) {
  const purpose = rewardPurpose(roundId, n);
  const lane = laneOf(purpose);
  const { number: last, value: from } = await laneRow(db(), lane);
  const [number, digest] = [last + 1, new Uint8Array(32).fill(3)];
  const to = stepValue(secret, number, { from, purpose, digest });
  return { lane, number, from, to, digest, signature: signature(), slot: 9n };
}

/** Closes as an operator does. `learn`: what the chain tells the ledger. */
function close(roundId: string, learn: () => Promise<unknown>, finalSlot = 1_000) {
  const deps = {
    db: db(),
    lanes: { learn, ground: async () => ({ secret }) },
    rpc: { agreedHead: async () => ({ slot: finalSlot }) },
    logger: { warn: () => undefined },
  };
  const request = { remedy: 'close' as const, subject: `reward/${roundId}`, actor: 'test', note: 'stuck' };
  return createRemedyActivities(deps as never, REMEDIES).carryOut(request);
}

it('a closing learns from the chain first, and is refused where its payout is final there', async () => {
  const key = await openRound();
  const step = await lostStep(key);
  const { done, text } = await close(key.roundId, () => lanes.advance(db(), [step]));
  expect({ done, text }).toEqual({
    done: false,
    text: `${rewardPurpose(key.roundId, key.n)} is final as ${step.signature}, and has yet to be booked`,
  });
  expect(await rewardTransactions.byKey(db(), key)).toMatchObject({ state: 'planned' });
  expect((await laneSteps.unnamed(db())).map(({ signature }) => signature)).toContain(step.signature);
});

it('a closing is refused where the lost plan of its round had transactions that the restored one lacks', async () => {
  const { roundId, n } = await openRound();
  const step = await lostStep({ roundId, n: n + 40 });
  const { done, text } = await close(roundId, () => lanes.advance(db(), [step]));
  expect(done).toBe(false);
  expect(text).toContain(`reward/${roundId}/43 is final`);
});

it('a closing waits while transactions that a restored ledger lost may land', async () => {
  const [key, other] = [await openRound(), await openRound()];
  const { lane } = await lostStep(other);
  const learn = () => lanes.noteLearned(db(), lane, 900n);
  const text = 'the ledger was restored: what it may have forgotten can land until slot 1264; try again behind it';
  expect(await close(key.roundId, learn)).toEqual({ done: false, text });
  expect(await close(key.roundId, learn, 1_265)).toMatchObject({ done: true });
  expect(await rewardTransactions.byKey(db(), key)).toMatchObject({ state: 'void' });
});
