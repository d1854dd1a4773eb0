import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createRewardActivities } from '../../activities/reward/activities.ts';
import { rewardRoundWorkflowId } from '../../workflows/reward/messages.ts';
import { eventually } from '../support/platform/eventually.ts';
import { rewardDepsOf } from '../support/reward/reward-deps.ts';
import { type RewardFixture, startRewardFixture, untilDone } from '../support/reward/reward-platform.ts';

let ground: RewardFixture;
beforeAll(async () => {
  ground = await startRewardFixture({ REWARD_SNAPSHOT_WINDOW_SLOTS: '9', REWARD_SALE_WINDOW_SECONDS: '0' });
});
afterEach(() => ground.platform.calm());
afterAll(() => ground.close());

/** Pauses that are waited for: the round looks once before each. */
const PAUSES = 4;

/** How long a final head is kept, ms: one from before the chain stood still would make it seem to have gone on. */
const HEAD_KEPT_MS = 400;

/** Pauses of a round's workflow so far, ms, in their order. */
async function pausesOf(roundId: string): Promise<number[]> {
  const { events } = await ground.platform.client.workflow.getHandle(rewardRoundWorkflowId(roundId)).fetchHistory();
  const timers = (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) => timer?.startToFireTimeout ?? []);
  return timers.map(({ seconds, nanos }) => Number(seconds ?? 0) * 1_000 + Number(nanos ?? 0) / 1e6);
}

const HOUR_MS = 60 * 60 * 1_000;

/** Dependencies of a second worker, whose clock is ahead by so much; behind, if negative. */
async function shiftedDeps(aheadMs: number) {
  const deps = await rewardDepsOf(ground.platform);
  const now = () => new Date(Date.now() + aheadMs);
  return { ...deps, now, [Symbol.asyncDispose]: async () => deps.close() };
}

/** A market for which a round is due. */
async function dueMarket() {
  const market = await ground.launch();
  await ground.buy(market, 500_000_000n);
  await market.trade('buy', 1_200_000_000n);
  await ground.settle(market);
  return market;
}

// The first in the file: the gate must hold the round of this market, of which nobody knows the id before it is planned.
it('a round on a chain that stands still looks less and less often, so that its history does not fill, and then goes on', async () => {
  const { platform } = ground;
  const market = await dueMarket();
  const observing = platform.gate.hold('observeRewardHolders');
  await ground.plan();
  await observing.reached;
  platform.chain.control.setSlotMs(0);
  await sleep(HEAD_KEPT_MS);
  observing.release();
  const { id } = (await ground.newest(market))!;
  const pauses = await eventually(async () => {
    const found = await pausesOf(id);
    return found.length >= PAUSES ? found : null;
  }, `${PAUSES} pauses of a round that waits`);
  for (const [index, pause] of pauses.slice(1).entries()) expect(pause).toBeGreaterThanOrEqual(2 * pauses[index]!);
  platform.calm();
  expect(await untilDone(platform, market)).toMatchObject({ id, note: null, problem: null });
});

it('a step of a round that waits long for one answer says all the while that its worker is there', async () => {
  const { platform } = ground;
  const market = await dueMarket();
  await ground.plan();
  const { id } = (await ground.newest(market))!;
  const paying = platform.gate.hold('payRewards', id);
  await paying.reached;
  const own = await rewardDepsOf(platform);
  const answered = Promise.withResolvers<void>();
  let beats = 0;
  const heartbeat = () => void (++beats >= 2 && answered.resolve());
  const accountsByEndpoint: typeof own.rpc.accountsByEndpoint = async (...asked) => {
    await answered.promise;
    return own.rpc.accountsByEndpoint(...asked);
  };
  const { payRewards } = createRewardActivities({ ...own, heartbeat, rpc: { ...own.rpc, accountsByEndpoint } });
  expect(await payRewards(id)).toBe(0);
  expect(beats).toBeGreaterThanOrEqual(2);
  paying.release();
  own.close();
  expect(await untilDone(platform, market)).toMatchObject({ id, note: null, problem: null });
});

it('a worker with a clock of another hour plans no sale and waits for none, so that no round waits for hours', async () => {
  const { platform } = ground;
  const market = await dueMarket();
  const [collecting, selling] = [platform.gate.hold('collectRewards'), platform.gate.hold('sellRewards')];
  await ground.plan();
  await collecting.reached;
  const { id } = (await ground.newest(market))!;
  await using deps = await shiftedDeps(3 * HOUR_MS);
  const shifted = createRewardActivities(deps);
  await expect(shifted.collectRewards(id)).rejects.toThrow('s ahead of the newest final block');
  expect(await ground.newest(market)).toMatchObject({ state: 'observing', sellAt: null });
  collecting.release();
  await selling.reached;
  await using behind = await shiftedDeps(-3 * HOUR_MS);
  await expect(createRewardActivities(behind).sellRewards(id)).rejects.toThrow('s behind the newest final block');
  selling.release();
  expect(await untilDone(platform, market)).toMatchObject({ id, note: null, problem: null });
});
