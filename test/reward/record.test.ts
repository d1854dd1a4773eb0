import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { draw } from '../../activities/reward/snapshots.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import * as rewardLeftOut from '../../db/reward/reward-left-out.ts';
import * as rewardPayouts from '../../db/reward/reward-payouts.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import { startLocalnet } from '../../dev/localnet/index.ts';
import { type AccountFaultReason, LEFT_OUT_REASONS } from '../../domain/reward/left-out.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { address, signature } from '../support/launch/launch-rows.ts';
import { rewardFacts } from '../support/launch/launched-token.ts';
import { useMarketApp } from '../support/market/market-app.ts';
import { insertDistribution, insertRecord, sampleDocument } from '../support/reward/reward-rows.ts';
import { startLiar } from '../support/rpc/scripted-node.ts';
import { ending } from '../support/money/due.ts';
import { spendableUsd } from '../support/trading/spendable.ts';

/** A payout transaction that landed. */
const landed = () => ({
  signature: signature(),
  slot: 5_000n,
  landedAt: new Date(Date.UTC(2026, 10, 21, 14)),
  baseRaw: 0n,
  quoteRaw: -1n,
  paidRaw: 1n,
  recipients: 1,
  valueUsd: null,
});

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
  await rewardRounds.plan(market.db(), { id, mint, number, openedSlot: 7n, window: { slot: 9, slots: 9 } });
  return id;
}

const valuation = {
  averagePrice: '0.00001',
  quoteUsd: spendableUsd('1'),
  solUsd: spendableUsd('150'),
  priceSource: 'fixed',
  pricedAt: new Date(),
};

/** A round that is about to pay these owners in one transaction, the second of the round. */
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
    payouts: owners.map((owner) => ({ owner, kind: 'holder' as const, n: 1, ...amounts })),
    seal: { n: 0, document: sampleDocument() },
    leftOut: { owners: [{ owner: address(), reason: 'offCurve', balanceRaw: 9n }], belowMinimum: 3 },
    note: owners.length > 0 ? null : 'no share reaches the least payout',
  });
  return roundId;
}

async function reasonsOf(mint: string): Promise<Map<string, string>> {
  const { leftOut } = await dataOf(`/tokens/${mint}/rewards/rounds/1/left-out`);
  return new Map(leftOut.map(({ owner, reason }) => [owner, reason]));
}

/** A node that would choose the block of a draw. */
function chooses(method: string, result: unknown): unknown {
  if (method === 'getBlocksWithLimit') return [9_000_000_000];
  return method === 'getBlock' ? { ...(result as object), blockhash: address() } : result;
}

test('an observation is drawn by the blocks that two endpoints have, whatever one more says', async () => {
  const chain = await startLocalnet({ slotMs: 0 });
  try {
    chain.control.advanceSlots(199);
    chain.control.skipNextSlots(3);
    chain.control.advanceSlots(700);
    await using liar = await startLiar(chain.rpcUrl, chooses);
    const honest = [`${chain.rpcUrl}/rpc/a`, `${chain.rpcUrl}/rpc/b`];
    const drawBy = async (...endpoints: readonly string[]) => {
      const rpc = createRpc({ endpoints });
      const [head, window] = [await rpc.finalHead(), { slot: 1_200, slots: 600 }];
      return Promise.all([0, 1, 2].map((n) => draw({ rpc }, { mint: 'mint', window, n, head })));
    };
    const drawn = await drawBy(liar.url, ...honest);
    expect(drawn).toHaveLength(3);
    expect(drawn).toEqual(await drawBy(chain.rpcUrl));
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
    expect(pagination).toEqual({ page: 1, pageSize: 1, total: 2, totalPages: 2, hasMore: true });
    expect((await get(`/tokens/${mint}/rewards/rounds/2/left-out?page=1`)).statusCode).toBe(200);
  });

  test('has what one needs to draw and judge a round again', async () => {
    const { mint } = await market.launch(rewardFacts(100));
    const roundId = randomUUID();
    await insertDistribution(market.db(), mint, { roundId });
    const [blockhash, pool] = [address(), address()];
    const owners = [{ owner: pool, reason: 'pool' as const, balanceRaw: 6_000_000_000n }];
    await insertRecord(market.db(), roundId, { blockhashes: [blockhash], leftOut: owners, belowMinimum: 41 });
    expect((await dataOf(`/tokens/${mint}/rewards/rounds`)).rounds[0]).toMatchObject({
      id: roundId,
      state: 'done',
      windowSlot: 6_000,
      windowSlots: 3_000,
      observations: [{ n: 0, slot: 6_000, blockhash, readSlot: 6_033, answerSlots: [6_033, 6_034], quorum: 2 }],
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
      const key = { roundId: await aboutToPay(mint, [paid, refusing, unexplained]), n: 1 };
      await rewardPayouts.noteFaults(market.db(), key, new Map([[refusing, fault]]));
      await rewardTransactions.settle(market.db(), key, landed());
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
    const key = { roundId: await aboutToPay(mint, [owner]), n: 1 };
    await ending(market.db(), (tx) => rewardTransactions.lockDue(tx, key), rewardTransactions.abandon);
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
