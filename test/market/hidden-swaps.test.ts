import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { agreedAverageOf } from '../../activities/trading/average.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { type MarketFixture, type MarketIndex, startMarketFixture } from '../support/market/market-platform.ts';
import { poolNumberOf } from '../support/market/swap-rows.ts';
import { type TradedLaunch, tradedLaunch } from '../support/market/traded-launch.ts';
import { standingStill, startLiar } from '../support/rpc/scripted-node.ts';

const ground: MarketFixture = await startMarketFixture();
afterAll(() => ground.close());

const MINUTES = 10;

/** Alters the answers of a dishonest endpoint. */
type Twist = (method: string, result: unknown, params: readonly unknown[]) => unknown;

interface HiddenMarket extends TradedLaunch {
  readonly index: MarketIndex;
  readonly average: () => Promise<string>;
  /** From now on the preferred endpoint answers so; null: honestly. */
  readonly answer: (twist: Twist | null) => void;
}

/** A traded launch, its index and its average, on three endpoints of which the preferred one can be told to lie. */
async function whereTheFirstMayLie(run: (market: HiddenMarket) => Promise<void>): Promise<void> {
  const launch = await tradedLaunch(ground);
  await launch.record();
  let twist: Twist | null = null;
  await using liar = await startLiar(ground.localnet.rpcUrl, (method, result, params) =>
    twist ? twist(method, result, params) : result,
  );
  const others = ['b', 'c'].map((name) => `${ground.localnet.rpcUrl}/rpc/${name}`);
  const rpc = createRpc({ endpoints: [liar.url, ...others] });
  const { db, exchange, exchangeAt } = ground;
  const deps = { db, now: () => new Date(ground.now()), rpc, exchange, exchangeAt };
  const average = () => agreedAverageOf(deps, launch.mint, MINUTES);
  const index = ground.index({ rpc });
  await launch.buy(10n);
  await launch.stored.settle(index);
  await average();
  await run({ ...launch, index, average, answer: (next) => (twist = next) });
}

const isFinalized: (params: readonly unknown[]) => boolean = ([, options]) =>
  (options as { readonly commitment?: string } | undefined)?.commitment === 'finalized';

/** Settles a trade. Lets the endpoint's finalized answers stand still, so that the next trade is seen and not settled. */
async function leaveATradeUnsettled({ stored, buy, index, answer }: HiddenMarket): Promise<void> {
  const still = standingStill();
  answer((method, result, params) => (isFinalized(params) ? still(method, result, params) : result));
  await buy(10n);
  await stored.settle(index);
  await buy(5_000n);
  await index.lookAtMarket();
  ground.finalize();
}

/** Changes the last byte of the pool's account at each read, as a trade would. */
function touching(pool: string): Twist {
  let times = 0;
  return (method, result, [addresses]) => {
    if (method !== 'getMultipleAccounts') return result;
    const { value, ...rest } = result as { readonly value: readonly ({ readonly data: [string, string] } | null)[] };
    const touched = value.map((account, at) => {
      if (!account || (addresses as readonly string[])[at] !== pool) return account;
      const bytes = Buffer.from(account.data[0], 'base64');
      bytes.writeUInt8(++times % 256, bytes.length - 1);
      return { ...account, data: [bytes.toString('base64'), 'base64'] };
    });
    return { ...rest, value: touched };
  };
}

const BEHIND = /the index of the market of \w+ is behind/;

/** More than the minute within which changes are settled. */
const LATER_SLOTS = 200;

describe('trades that the preferred endpoint of three hides from the index', () => {
  it('leave no average that money is spent by', () =>
    whereTheFirstMayLie(async ({ stored, buy, index, average, answer }) => {
      answer(standingStill());
      await stored.settle(index);
      await buy(5_000n);
      ground.finalize();
      await index.lookAtMarket();
      expect(await stored.swaps()).toHaveLength(1);
      await expect(average()).rejects.toThrow(BEHIND);
      answer(null);
      await stored.settle(index);
      await average();
      expect(await stored.swaps()).toHaveLength(2);
    }));

  it('leave none while it touches the pool at each look, as if its trades were being settled', () =>
    whereTheFirstMayLie(async ({ stored, buy, index, average, answer }) => {
      const [still, touch] = [standingStill(), touching((await stored.cursor()).pool)];
      answer((method, result, params) => touch(method, still(method, result, params), params));
      await index.lookAtMarket();
      await buy(5_000n);
      ground.finalize();
      await index.lookAtMarket();
      expect((await stored.cursor()).changedSlot).not.toBeNull();
      expect(await stored.swaps()).toHaveLength(1);
      await expect(average()).rejects.toThrow(BEHIND);
    }));
});

describe('an unsettled change of a pool', () => {
  it('by a stranger’s gift keeps no average away: the price has not moved', () =>
    whereTheFirstMayLie(async ({ stored, buy, giveToVault, index, average }) => {
      await buy(5_000n);
      await stored.settle(index);
      await buy(10n);
      await index.lookAtMarket();
      await giveToVault(500n);
      ground.finalize();
      expect((await stored.cursor()).changedSlot).not.toBeNull();
      await average();
    }));

  it('that no quorum confirms explains no trade that is hidden', () =>
    whereTheFirstMayLie(async (market) => {
      const { mint, stored, average } = market;
      await leaveATradeUnsettled(market);
      await average();
      const invented = { quoteRaw: sql<bigint>`quote_raw + 1` };
      const unsettled = ground.db.updateTable('marketSwaps').where('poolNumber', '=', poolNumberOf(mint));
      await unsettled
        .where('slot', '>', (await stored.cursor()).finalizedSlot)
        .set(invented)
        .execute();
      await expect(average()).rejects.toThrow(BEHIND);
    }));
});

it('trades that are seen and never settled leave no average: it is one of final trades', () =>
  whereTheFirstMayLie(async (market) => {
    const { stored, buy, index, average, answer } = market;
    await leaveATradeUnsettled(market);
    await index.lookAtMarket();
    // A minute's trades may be unsettled.
    await average();
    ground.localnet.control.advanceSlots(LATER_SLOTS);
    await buy(10n);
    await index.lookAtMarket();
    ground.finalize();
    await index.lookAtMarket();
    expect((await stored.swaps()).map(({ finalized }) => finalized)).toEqual([true, true, false, false]);
    await expect(average()).rejects.toThrow(BEHIND);
    answer(null);
    await stored.settle(index);
    await average();
  }));
