import { execFile } from 'node:child_process';
import { inspect, promisify } from 'node:util';
import { PublicKey } from '@solana/web3.js';
import { BigNumber } from 'bignumber.js';
import Type from 'typebox';
import Value from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transferTax } from '../../chain/exchange/pool-math.ts';
import type { Claimable } from '../../chain/exchange/exchange.ts';
import * as tokens from '../../db/tokens.ts';
import { formatUnits } from '../../domain/amounts.ts';
import { worthUsd } from '../../domain/pool-price.ts';
import { type RealStack, startRealStack } from '../campaigns/chaos/processes/real-stack.ts';
import { balanceOf } from '../support/claim/claim-market.ts';
import { type DeskMarket, openDeskMarket } from '../support/claim/desk-market.ts';
import { ops } from '../support/ops/ops-run.ts';
import { eventually } from '../support/platform/eventually.ts';

let stack: RealStack;
let standard: DeskMarket;
let reward: DeskMarket;
beforeAll(async () => {
  // A reward round sells what it collected, which leaves fees behind a sweep; and one that is due by itself would take a part of them.
  const seldom = String(7 * 24 * 3_600);
  stack = await startRealStack({ REWARD_ROUND_EVERY_SECONDS: seldom, FEE_SWEEP_EVERY_SECONDS: seldom });
  await stack.control('setSlotMs', { slotMs: 40 });
  standard = await openDeskMarket(stack, 'USDL', { funds: '1000000', launch: { feeTier: '1%' } });
  reward = await openDeskMarket(stack, 'LBIT', { funds: '10', launch: { mode: 'reward', rewardTaxBps: 100 } });
  // Of others nothing is collected.
  await eventually(async () => {
    const rows = await stack.db.selectFrom('launches').select('mint').where('state', '=', 'finalized').execute();
    const final = rows.map(({ mint }) => mint);
    return [standard, reward].every(({ mint }) => final.includes(mint)) || null;
  }, 'final launches');
});
afterAll(() => stack.close());

const BurnsSchema = Type.Object({
  data: Type.Object({
    totals: Type.Object({ burnCount: Type.Integer(), amountRaw: Type.String() }),
    burns: Type.Array(Type.Object({ signature: Type.String(), amountRaw: Type.String() })),
  }),
});
const DaySchema = Type.Object({
  date: Type.String(),
  dailyRevenue: Type.Number(),
  dailyHoldersRevenue: Type.Number(),
  dailyProtocolRevenue: Type.Number(),
});
const HistorySchema = Type.Object({
  data: Type.Object({ days: Type.Array(DaySchema), coverage: Type.Object({ revenueRowsUnpriced: Type.Integer() }) }),
});

async function read(path: string): Promise<unknown> {
  return (await stack.api.inject({ method: 'GET', url: `/api/public/v1${path}` })).json();
}

const burnsOf = async ({ mint }: DeskMarket) => Value.Parse(BurnsSchema, await read(`/tokens/${mint}/burns`)).data;

/** What the platform could collect now. */
async function claimableOf({ mint }: DeskMarket): Promise<Claimable> {
  const [token, positions] = await Promise.all([tokens.byMint(stack.db, mint), tokens.positions(stack.db, mint)]);
  const position = positions.find(({ holder }) => holder === 'platform');
  return stack.exchange.readClaimable(new PublicKey(token?.pool ?? ''), new PublicKey(position?.feeKeyMint ?? ''));
}

const supplyOf = async ({ base }: DeskMarket) =>
  BigInt((await stack.connection.getTokenSupply(base.mint, 'confirmed')).value.amount);

const treasuryOf = ({ quote }: DeskMarket) => balanceOf(stack, quote, new PublicKey(stack.stack.treasury));

/** A buy and a sell at the desk, which the market's index has seen when this resolves. */
async function trade(market: DeskMarket, amount: string): Promise<void> {
  const swaps = async () => (await stack.db.selectFrom('swaps').select('mint').execute()).length;
  const before = await swaps();
  await market.trade('buy', amount);
  const { base } = await market.holdings(market.trader.publicKey);
  await market.trade('sell', formatUnits(base / 2n, market.base.decimals));
  await eventually(async () => (await swaps()) >= before + 2 || null, 'indexed trades');
}

/** Triggers the schedule as an operator does. */
async function triggerSweep(): Promise<void> {
  const { temporalCli, temporalAddress, temporalNamespace } = stack.stack;
  if (temporalCli === null) throw new Error('the stack has no Temporal CLI');
  await promisify(execFile)(temporalCli, [
    'schedule',
    'trigger',
    '--schedule-id',
    'fee-sweep',
    '--address',
    temporalAddress,
    '--namespace',
    temporalNamespace,
  ]);
}

const opsEnv = () => {
  const { databaseUrl, temporalAddress, temporalNamespace } = stack.stack;
  return { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress, TEMPORAL_NAMESPACE: temporalNamespace };
};

/** Sweeps that are open, for who waited in vain. */
async function openSweeps(): Promise<string> {
  const open = stack.db.selectFrom('feeSweeps').select(['mint', 'number', 'problem']).where('state', '<>', 'done');
  return inspect(await open.execute());
}

const untilBurned = (market: DeskMarket, count: number) =>
  eventually(
    async () => {
      const burns = await burnsOf(market);
      return burns.totals.burnCount >= count ? burns : null;
    },
    `${count} burns of ${market.mint}`,
    openSweeps,
  );

describe('the schedule fee-sweep, triggered by its id after a day at the desk', () => {
  let revenueUsd: string;

  it('collects both kinds of launches to the unit, and what it burned is gone from the supply', async () => {
    await trade(standard, '5000');
    await trade(reward, '0.2');
    const before = await Promise.all(
      [standard, reward].map(async (market) => ({
        claimable: await claimableOf(market),
        supply: await supplyOf(market),
        held: await treasuryOf(market),
      })),
    );
    await triggerSweep();
    const burned = [await untilBurned(standard, 1), await untilBurned(reward, 2)];
    for (const [index, market] of [standard, reward].entries()) {
      const { claimable, supply, held } = before[index]!;
      expect((await treasuryOf(market)) - held).toBe(claimable.quoteRaw);
      expect(supply - (await supplyOf(market))).toBe(BigInt(burned[index]!.totals.amountRaw));
      expect(await claimableOf(market)).toEqual({ baseRaw: 0n, quoteRaw: 0n });
      const net = claimable.baseRaw - transferTax(market.base.transferFee, claimable.baseRaw);
      expect(burned[index]!.burns.map(({ amountRaw }) => amountRaw)).toContain(String(net));
    }
    const [ofStandard, ofReward] = before.map(({ claimable }) => claimable.quoteRaw);
    revenueUsd = sumUsd(worthUsd(ofStandard!, 6, '1'), worthUsd(ofReward!, 8, '64250.5'));
  });

  it('shows in the day of the history, half of it for buybacks', async () => {
    const { days, coverage } = Value.Parse(HistorySchema, await read('/revenue/history')).data;
    const today = new Date().toISOString().slice(0, 10);
    const last = days.at(-1);
    expect([last?.date, last?.dailyRevenue, coverage.revenueRowsUnpriced]).toEqual([today, Number(revenueUsd), 0]);
    expect(last?.dailyHoldersRevenue).toBe(last?.dailyProtocolRevenue);
    expect(last?.dailyHoldersRevenue).toBe(new BigNumber(revenueUsd).div(2).toNumber());
  });

  it('collects once although the worker is killed with kill -9 while a harvest is on its way', async () => {
    await trade(standard, '5000');
    const [claimable, supply, held] = [
      await claimableOf(standard),
      await supplyOf(standard),
      await treasuryOf(standard),
    ];
    await triggerSweep();
    const purpose = `fee-sweep/${standard.mint}/2`;
    const ledger = () =>
      stack.db
        .selectFrom('chainTransactions')
        .select(['purpose', 'status'])
        .where('purpose', 'like', `${purpose}%` as never)
        .orderBy('purpose')
        .execute();
    await eventually(async () => (await ledger()).some(({ status }) => status !== 'signed') || null);
    await stack.kill('worker');
    const { totals } = await untilBurned(standard, 2);
    expect(totals.burnCount).toBe(2);
    // What was signed and not sent in time is dead; what took its place landed once.
    expect((await ledger()).filter(({ status }) => status !== 'dead')).toEqual([
      { purpose, status: 'finalized' },
      { purpose: `${purpose}/burn`, status: 'finalized' },
    ]);
    expect((await treasuryOf(standard)) - held).toBe(claimable.quoteRaw);
    expect(supply - (await supplyOf(standard))).toBe(claimable.baseRaw);
  });

  it('leaves nothing open for an operator, whose retry says so', async () => {
    expect(await ops(opsEnv(), 'fee-sweeps list --json')).toMatchObject({ status: 0, printed: '{"sweeps":[]}\n' });
    expect(await ops(opsEnv(), 'fee-sweeps retry')).toMatchObject({ status: 1, message: 'no sweep is open' });
  });
});

/** The exact sum of two amounts of USD. */
function sumUsd(one: string, other: string): string {
  return new BigNumber(one).plus(other).toFixed();
}
