import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { planRestocks } from '../../activities/restock/plan.ts';
import { RESTOCK_FLOAT_LAMPORTS, type RestockLimits } from '../../domain/restock/restock.ts';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { eventually } from '../support/platform/eventually.ts';
import { type RestockFixture, startRestockFixture } from '../support/restock/restock-platform.ts';

const dollar = SEED_PAIRS[0]!;
const token2022 = SEED_PAIRS.find(
  ({ tokenProgram, retired }) => !retired && tokenProgram.equals(TOKEN_2022_PROGRAM_ID),
)!;

let ground: RestockFixture;
beforeAll(async () => {
  ground = await startRestockFixture();
});
afterAll(() => ground.close());
beforeEach(async () => {
  ground.market.behaviour = {};
  await Promise.all([ground.want(dollar, null), ground.want(token2022, null)]);
});

const lamportsOf = (owner = ground.treasury) => ground.platform.connection.getBalance(owner, 'confirmed').then(BigInt);
const latest = async () => (await ground.rounds()).at(-1);

async function ledgerOf(roundId: string) {
  const rows = ground.platform.db.selectFrom('chainTransactions').select(['status', 'signature']);
  return rows.where('purpose', 'like', `restock/${roundId}%` as never).execute();
}

describe('a restock', () => {
  it('buys what is missing, once, and books what the chain says it moved', async () => {
    await ground.want(dollar, 300n);
    const [stock, lamports] = await Promise.all([ground.stock(dollar), lamportsOf()]);
    expect(await ground.run()).toBe(1);
    const round = (await latest())!;
    const [received, spent] = [(await ground.stock(dollar)) - stock, lamports - (await lamportsOf())];
    expect(round).toMatchObject({ state: 'done', receivedRaw: received, spentLamports: spent, reason: null });
    // 300 dollars are 2 SOL; the offer is 0.1 % under the price and may fill 1 % worse.
    expect(round.lamports).toBe(2_000_000_000n);
    expect(received).toBeGreaterThanOrEqual(296_700_000n);
    expect(spent).toBeLessThanOrEqual(round.budgetLamports);
    expect(await ledgerOf(round.id)).toEqual([{ status: 'finalized', signature: round.signature }]);
    expect(await lamportsOf(ground.wallet)).toBeLessThanOrEqual(RESTOCK_FLOAT_LAMPORTS);
  });

  it('takes along what an earlier swap filled better than its least, and the wallet’s float is paid once', async () => {
    const left = await ground.stock(dollar, ground.wallet);
    expect(left).toBeGreaterThan(0n);
    await ground.want(dollar, 150n);
    const stock = await ground.stock(dollar);
    expect(await ground.run()).toBe(1);
    const round = (await latest())!;
    expect((await ground.stock(dollar)) - stock).toBe(round.receivedRaw);
    expect(round.receivedRaw! - left).toBeGreaterThanOrEqual(148_300_000n);
    expect(round.spentLamports! - round.lamports).toBeLessThan(RESTOCK_FLOAT_LAMPORTS / 2n);
  });

  it('buys Token-2022 quote tokens too', async () => {
    await ground.want(token2022, 100_000n);
    const stock = await ground.stock(token2022);
    expect(await ground.run()).toBe(1);
    expect((await ground.stock(token2022)) - stock).toBe((await latest())?.receivedRaw);
  });

  it('does nothing while enough is available', async () => {
    const before = await ground.rounds();
    expect(await ground.run()).toBe(0);
    expect(await ground.rounds()).toEqual(before);
  });
});

describe('a restock happens once', () => {
  it('when its answer is lost and the step is done again', async () => {
    await ground.want(dollar, 150n);
    const before = await ground.stock(dollar);
    ground.platform.gate.loseAnswer('buyForInventory');
    // The step finds its round ended: a purchase was made, though not by this call.
    expect(await ground.run()).toBe(1);
    const round = (await latest())!;
    expect((await ground.stock(dollar)) - before).toBe(round.receivedRaw);
    expect(await ledgerOf(round.id)).toHaveLength(1);
  });

  it('when the worker dies while its swap is under way', async () => {
    await ground.want(dollar, 150n);
    const before = await ground.stock(dollar);
    const running = ground.run();
    await eventually(async () => {
      const round = await latest();
      return (round?.state === 'open' && (await ledgerOf(round.id)).some(({ status }) => status !== 'signed')) || null;
    });
    await ground.platform.worker.stop();
    await ground.platform.worker.start();
    expect(await running).toBe(1);
    const round = (await latest())!;
    expect(round.state).toBe('done');
    expect((await ground.stock(dollar)) - before).toBe(round.receivedRaw);
    expect(await ledgerOf(round.id)).toHaveLength(1);
  });

  it('when the database forgot that the swap was signed', async () => {
    await ground.want(dollar, 150n);
    expect(await ground.run()).toBe(1);
    const { id, signature, receivedRaw, spentLamports } = (await latest())!;
    const { db } = ground.platform;
    await db.deleteFrom('chainTransactions').where('signature', '=', signature!).execute();
    const open = { state: 'open', signature: null, spentLamports: null, receivedRaw: null, settledAt: null } as const;
    await db.updateTable('restockRounds').set(open).where('id', '=', id).execute();
    const stock = await ground.stock(dollar);
    expect(await ground.run()).toBe(1);
    expect(await latest()).toMatchObject({ id, state: 'done', signature, receivedRaw, spentLamports });
    expect(await ground.stock(dollar)).toBe(stock);
  });
});

describe('an aggregator that does not answer', () => {
  it('leaves the round open, and the next run buys', async () => {
    await ground.want(dollar, 150n);
    ground.market.behaviour = { status: 503 };
    expect(await ground.run()).toBe(0);
    const round = await latest();
    expect(round).toMatchObject({ state: 'open' });
    ground.market.behaviour = {};
    expect(await ground.run()).toBe(1);
    expect(await latest()).toMatchObject({ id: round?.id, state: 'done' });
  });
});

describe('a day of restocks', () => {
  const DAY_MS = 24 * 60 * 60 * 1_000;

  /** Plans as a worker whose clock is 50 s ahead of the chain's. */
  const planned = (limits: Partial<RestockLimits> = {}) => {
    const at = new Date(Date.now() - 50_000);
    const rpc = { ...ground.deps.rpc, finalMoment: () => Promise.resolve({ slot: 1, at }) };
    const own = ground.deps.limits && { ...ground.deps.limits, ...limits };
    return planRestocks({ ...ground.deps, rpc, limits: own }).then((ids) => ({ ids, at }));
  };

  it('is the chain’s: rounds are dated, and count for their limit, by its clock', async () => {
    const { db } = ground.platform;
    await ground.want(dollar, 150n);
    expect(await ground.run()).toBe(1);
    const { id, spentLamports } = (await latest())!;
    await db
      .updateTable('restockRounds')
      .set({ plannedAt: new Date(0) })
      .execute();
    const aDayAgo = { plannedAt: new Date(Date.now() - DAY_MS - 20_000) };
    await db.updateTable('restockRounds').set(aDayAgo).where('id', '=', id).execute();
    await ground.want(dollar, 150n);
    // By the machine's clock that round is more than a day old, by the chain's it is not.
    expect((await planned({ maxLamportsPerDay: spentLamports! })).ids).toEqual([]);
    const { ids, at } = await planned();
    const rounds = (await ground.rounds()).filter((round) => ids.includes(round.id));
    expect(rounds.map(({ plannedAt }) => plannedAt)).toEqual([at]);
    expect(await ground.run()).toBe(1);
  });
});
