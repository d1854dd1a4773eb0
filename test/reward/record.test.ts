import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { drawOrWait, offsetOf } from '../../activities/reward/snapshots.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import * as rewardLeftOut from '../../db/reward/reward-left-out.ts';
import * as rewardPayouts from '../../db/reward/reward-payouts.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import * as rewardSnapshots from '../../db/reward/reward-snapshots.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import { startLocalnet } from '../../dev/localnet/index.ts';
import { type AccountFaultReason, LEFT_OUT_REASONS } from '../../domain/reward/left-out.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { address } from '../support/launch/launch-rows.ts';
import { rewardFacts } from '../support/launch/launched-token.ts';
import { useMarketApp } from '../support/market/market-app.ts';
import { insertDistribution, insertRecord } from '../support/reward/reward-rows.ts';
import { startLiar } from '../support/rpc/scripted-node.ts';

const market = useMarketApp();

const get = (url: string) => market.app().inject(`/api/public/v1${url}`);

interface Data {
  readonly rounds: readonly { readonly number: number; readonly leftOut: readonly object[] }[];
  readonly leftOut: readonly { readonly owner: string; readonly reason: string }[];
  readonly pagination: { readonly total: number };
}
const dataOf = async (url: string) => (await get(url)).json<{ data: Data }>().data;

/** A round in a state, with what its plan left out. */
async function openRound(mint: string): Promise<string> {
  const id = randomUUID();
  const number = 1 + (await rewardRounds.lastNumber(market.db(), mint));
  await rewardRounds.plan(market.db(), { id, mint, number, openedSlot: 7n });
  return id;
}

const valuation = { averagePrice: '0.00001', quoteUsd: '1', solUsd: '150', priceSource: 'fixed', pricedAt: new Date() };

/** A round that is about to pay these owners in one transaction, its first. */
async function aboutToPay(mint: string, owners: readonly string[]): Promise<string> {
  const db = market.db();
  const roundId = await openRound(mint);
  await rewardRounds.planCollection(db, roundId, { sellAt: new Date(), transactions: [] });
  await rewardRounds.advance(db, roundId, 'collecting', 'selling');
  const amounts = { balanceRaw: 8n, amountRaw: 5n, rentRaw: 0n };
  await rewardPayouts.plan(db, {
    roundId,
    mint,
    budgetRaw: 10n,
    holders: owners.length,
    minimumRaw: 7n,
    leastPayoutRaw: 1n,
    valuation,
    payouts: owners.map((owner) => ({ owner, kind: 'holder' as const, n: 0, ...amounts })),
    leftOut: { owners: [{ owner: address(), reason: 'offCurve', balanceRaw: 9n }], belowMinimum: 3 },
    note: owners.length > 0 ? null : 'nobody’s share reaches the least payout',
  });
  return roundId;
}

async function reasonsOf(mint: string): Promise<Map<string, string>> {
  const { leftOut } = await dataOf(`/tokens/${mint}/rewards/rounds/1/left-out`);
  return new Map(leftOut.map(({ owner, reason }) => [owner, reason]));
}

/** A node that would choose the slot and the blockhash of a draw. */
function chooses(method: string, result: unknown): unknown {
  const answer = result as object;
  if (method === 'getEpochInfo') return { ...answer, absoluteSlot: 9_000_000_000 };
  if (method === 'getBlock') return { ...answer, blockhash: address() };
  if (method !== 'getLatestBlockhash') return result;
  return { ...answer, value: { blockhash: address(), lastValidBlockHeight: 9_000_000_000 } };
}

test('an observation is drawn from a block that two endpoints have, whatever one more says', async () => {
  const chain = await startLocalnet({ slotMs: 24 });
  try {
    await using liar = await startLiar(chain.rpcUrl, chooses);
    const rpc = createRpc({ endpoints: [liar.url, `${chain.rpcUrl}/rpc/a`, `${chain.rpcUrl}/rpc/b`] });
    const { mint } = await market.launch(rewardFacts(100));
    const round = await rewardRounds.byId(market.db(), await openRound(mint));
    chain.control.advanceSlots(60);
    await drawOrWait({ db: market.db(), rpc, rewards: { snapshotWindowSlots: 900 } }, round!, 0, undefined);
    const [drawn] = await rewardSnapshots.ofRound(market.db(), round!.id);
    const { blockhash } = await createRpc({ endpoints: [chain.rpcUrl] }).blockAt(Number(drawn!.seenSlot));
    expect(drawn).toMatchObject({ n: 0, blockhash, partSlots: 300 });
    expect(Number(drawn!.slot - drawn!.seenSlot)).toBe(offsetOf(round!.id, 0, blockhash, 300));
  } finally {
    await chain.close();
  }
});

describe('the record of rounds', () => {
  test('hides a round that observes, and its left out, and shows it from then on', async () => {
    const { mint } = await market.launch(rewardFacts(100));
    await insertDistribution(market.db(), mint);
    const id = await openRound(mint);
    expect((await dataOf(`/tokens/${mint}/rewards/rounds`)).rounds.map(({ number }) => number)).toEqual([1]);
    expect((await get(`/tokens/${mint}/rewards/rounds/2/left-out`)).statusCode).toBe(404);
    await rewardRounds.planCollection(market.db(), id, { sellAt: new Date(), transactions: [] });
    // Another page is an answer of its own, and none that was kept.
    const { rounds, pagination } = await dataOf(`/tokens/${mint}/rewards/rounds?pageSize=1`);
    expect(rounds).toMatchObject([{ number: 2, id, state: 'collecting', division: null, leftOut: [], paidRaw: '0' }]);
    expect(pagination).toEqual({ page: 1, pageSize: 1, total: 2, totalPages: 2 });
    expect((await get(`/tokens/${mint}/rewards/rounds/2/left-out?page=1`)).statusCode).toBe(200);
  });

  test('has what one needs to draw and judge a round again', async () => {
    const { mint } = await market.launch(rewardFacts(100));
    const roundId = randomUUID();
    await insertDistribution(market.db(), mint, { roundId });
    const [blockhash, pool] = [address(), address()];
    const owners = [{ owner: pool, reason: 'pool' as const, balanceRaw: 6_000_000_000n }];
    await insertRecord(market.db(), roundId, { blockhashes: [blockhash], leftOut: owners, belowMinimum: 41 });
    const slot = 5_000 + offsetOf(roundId, 0, blockhash, 2_000);
    expect((await dataOf(`/tokens/${mint}/rewards/rounds`)).rounds[0]).toMatchObject({
      id: roundId,
      state: 'done',
      observations: [{ n: 0, seenSlot: 5_000, blockhash, partSlots: 2_000, slot, readSlot: slot + 1 }],
      division: { budgetRaw: '5000004', minimumHoldingTokens: 2_000, leastPayoutTokens: 0.05, holderCount: 3 },
      paidRaw: '5000000',
      paidUsd: 5,
      recipientCount: 2,
      leftOutCount: 42,
      leftOut: [
        { reason: 'belowMinimum', ownerCount: 41 },
        { reason: 'pool', ownerCount: 1 },
      ],
    });
    const { leftOut } = await dataOf(`/tokens/${mint}/rewards/rounds/1/left-out`);
    expect(leftOut).toEqual([{ owner: pool, reason: 'pool', heldTokens: 6, heldRaw: '6000000000' }]);
  });

  test('is empty for a standard launch; an unknown mint or round is 404, what is no number is 400', async () => {
    const { mint } = await market.launch();
    expect(await dataOf(`/tokens/${mint}/rewards/rounds`)).toMatchObject({ rounds: [], pagination: { total: 0 } });
    for (const path of [`${mint}/rewards/rounds/1/left-out`, `${address()}/rewards/rounds`]) {
      const answer = await get(`/tokens/${path}`);
      expect([path, answer.statusCode, errorOf(answer).code]).toEqual([path, 404, 'not_found']);
    }
    for (const number of ['0', 'x', '1.5', '99999999999']) {
      expect([number, (await get(`/tokens/${mint}/rewards/rounds/${number}/left-out`)).statusCode]).toEqual([
        number,
        400,
      ]);
    }
  });
});

describe('who got nothing', () => {
  test('is written with the plan, once, also where nobody is paid', async () => {
    const { mint } = await market.launch(rewardFacts(100));
    const roundId = await aboutToPay(mint, []);
    expect(await rewardRounds.byId(market.db(), roundId)).toMatchObject({ state: 'done', minimumRaw: 7n });
    const { rounds } = await dataOf(`/tokens/${mint}/rewards/rounds`);
    expect(rounds[0]?.leftOut).toEqual([
      { reason: 'belowMinimum', ownerCount: 3 },
      { reason: 'offCurve', ownerCount: 1 },
    ]);
  });

  test.each(['accountClosed', 'accountForeign', 'accountFrozen', 'accountNeedsMemo'] satisfies AccountFaultReason[])(
    'joins when a payout is void, for what was wrong with the account: %s',
    async (fault) => {
      const { mint } = await market.launch(rewardFacts(100));
      const [paid, refusing, unexplained] = [address(), address(), address()];
      const key = { roundId: await aboutToPay(mint, [paid, refusing, unexplained]), n: 0 };
      await rewardPayouts.noteFaults(market.db(), key, new Map([[refusing, fault]]));
      await rewardPayouts.mark(market.db(), key, [paid]);
      // What is marked stays: a second booking adds nothing.
      await rewardPayouts.mark(market.db(), key, []);
      const reasons = await reasonsOf(mint);
      expect([reasons.get(paid), reasons.get(refusing), reasons.get(unexplained)]).toEqual([
        undefined,
        fault,
        'notRecorded',
      ]);
      const { rounds } = await dataOf(`/tokens/${mint}/rewards/rounds`);
      expect(rounds[0]?.leftOut).toContainEqual({ reason: fault, ownerCount: 1 });
    },
  );

  test('of a round that an operator closes are those whose payout never was', async () => {
    const { mint } = await market.launch(rewardFacts(100));
    const owner = address();
    const key = { roundId: await aboutToPay(mint, [owner]), n: 0 };
    await rewardTransactions.abandon(market.db(), key);
    await rewardPayouts.mark(market.db(), key, [], 'closedByOperator');
    expect((await reasonsOf(mint)).get(owner)).toBe('closedByOperator');
  });

  test('of a crowd are the 5,000 that held most, and all of them in the count', async () => {
    const { mint } = await market.launch(rewardFacts(100));
    const roundId = randomUUID();
    await insertDistribution(market.db(), mint, { roundId });
    const owners = Array.from({ length: 5_002 }, (_, index) => {
      return { owner: address(), reason: 'belowLeastPayout' as const, balanceRaw: BigInt(index) };
    });
    await rewardLeftOut.record(market.db(), roundId, { owners, belowMinimum: 0 });
    const { leftOut, pagination } = await dataOf(`/tokens/${mint}/rewards/rounds/1/left-out?pageSize=1`);
    expect([leftOut[0]?.owner, pagination.total]).toEqual([owners.at(-1)?.owner, 5_000]);
    expect((await dataOf(`/tokens/${mint}/rewards/rounds`)).rounds[0]?.leftOut).toEqual([
      { reason: 'belowLeastPayout', ownerCount: 5_002 },
    ]);
  });

  test('has a reason that the database takes, whichever it is', async () => {
    const { mint } = await market.launch(rewardFacts(100));
    const roundId = randomUUID();
    await insertDistribution(market.db(), mint, { roundId });
    const owners = LEFT_OUT_REASONS.map((reason) => ({ owner: address(), reason, balanceRaw: 1n }));
    await rewardLeftOut.record(market.db(), roundId, { owners, belowMinimum: 0 });
    expect(new Set((await reasonsOf(mint)).values())).toEqual(new Set(LEFT_OUT_REASONS));
  });
});
