import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPoolCursorRepository } from '../../db/market-cursors.ts';
import { createTokenMarketRepository } from '../../db/token-markets.ts';
import { type LaunchUnderTest, openTrader, swap, type Trader } from '../chain/exchange/launched-pool.ts';
import { groupOf, transferInstruction } from '../chain/exchange/test-chain.ts';
import { type MarketGround, type MarketIndex, startMarketGround } from './ground.ts';
import { recount } from './recount.ts';

let ground: MarketGround;
let index: MarketIndex;

beforeAll(async () => {
  ground = await startMarketGround();
  index = ground.index();
});
afterAll(() => ground.close());

function storedSwaps({ pool }: LaunchUnderTest) {
  return ground.db
    .selectFrom('swaps')
    .selectAll()
    .where('pool', '=', pool.toBase58())
    .orderBy('slot')
    .orderBy('slotOrder')
    .orderBy('index')
    .execute();
}

async function cursorOf({ request }: LaunchUnderTest) {
  return (await createPoolCursorRepository(ground.db).byMint(request.base.mint.toBase58()))!;
}

async function expectCounted(launch: LaunchUnderTest, finalized: boolean): Promise<void> {
  const counted = await recount(ground.connection, launch);
  expect(await storedSwaps(launch)).toMatchObject(counted.map((trade) => ({ ...trade, finalized })));
}

const units = (whole: bigint): bigint => whole * 10n ** 6n;

describe('swaps of a pool', () => {
  let launch: LaunchUnderTest;
  let trader: Trader;

  beforeAll(async () => {
    launch = await ground.launch({ devBuy: true });
    trader = await openTrader(launch);
    await swap(launch, trader, { side: 'buy', exact: 'in', amount: units(250n) });
    const held = await ground.chain.balance(trader.baseAccount);
    await swap(launch, trader, { side: 'sell', exact: 'in', amount: held / 3n });
    await swap(launch, trader, { side: 'buy', exact: 'out', amount: 10n ** 15n });
  });

  it('show as soon as they are confirmed, the dev buy first', async () => {
    await index.lookAtMarket();
    const swaps = await storedSwaps(launch);
    expect(swaps.map(({ side }) => side)).toEqual(['buy', 'buy', 'sell', 'buy']);
    expect(swaps.every(({ finalized }) => !finalized)).toBe(true);
  });

  it('are final once no fork can take them, the same to the unit', async () => {
    ground.finalize();
    await index.lookAtMarket();
    await expectCounted(launch, true);
    const cursor = await cursorOf(launch);
    expect(cursor).toMatchObject({ changedSlot: null, gap: null });
    expect(cursor.baseRaw).toBe(await vaultOf(launch));
  });

  it('are not counted again by further looks', async () => {
    const before = await storedSwaps(launch);
    expect(await index.lookAtMarket()).toMatchObject({ changed: 0, stored: 0 });
    await index.lookAtPools([launch.pool.toBase58()]);
    expect(await storedSwaps(launch)).toEqual(before);
  });

  it('bring price, market cap, volume and liquidity with them', async () => {
    const market = await createTokenMarketRepository(ground.db).byMint(launch.request.base.mint.toBase58());
    const swaps = await storedSwaps(launch);
    expect(market?.priceQuote).toBe(swaps.at(-1)?.priceQuote);
    expect(Number(market?.marketCapUsd)).toBeCloseTo(Number(swaps.at(-1)?.priceUsd) * 1e9, 4);
    const volume = swaps.reduce((sum, { valueUsd }) => sum + Number(valueUsd), 0);
    expect(Number(market?.volume24hUsd)).toBeCloseTo(volume, 6);
    expect(Number(market?.liquidityUsd)).toBeGreaterThan(4_000);
  });

  it('are neither what a stranger sends to a vault nor what failed', async () => {
    const { request, chain } = launch;
    const before = await storedSwaps(launch);
    const base = transferInstruction(
      request.base,
      trader.baseAccount,
      await vaultAddress(launch),
      trader.wallet.publicKey,
      5n,
    );
    await chain.succeed(trader.wallet, groupOf([base]));
    const tooMuch = transferInstruction(
      request.base,
      trader.baseAccount,
      await vaultAddress(launch),
      trader.wallet.publicKey,
      10n ** 18n,
    );
    expect((await chain.land(trader.wallet, groupOf([tooMuch]))).err).not.toBeNull();
    await swap(launch, trader, { side: 'buy', exact: 'in', amount: units(1n) });
    ground.finalize();
    await index.lookAtMarket();
    expect(await storedSwaps(launch)).toHaveLength(before.length + 1);
    await expectCounted(launch, true);
    expect(await cursorOf(launch)).toMatchObject({ gap: null, changedSlot: null, baseRaw: await vaultOf(launch) });
  });
});

async function vaultAddress(launch: LaunchUnderTest) {
  const state = await launch.state();
  return launch.request.base.mint.equals(state.token0) ? state.vault0 : state.vault1;
}

async function vaultOf(launch: LaunchUnderTest): Promise<bigint> {
  return ground.chain.balance(await vaultAddress(launch));
}
