import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasClmm, RAYDIUM_OF_FIXTURE } from '../support/exchange/raydium/real-program.ts';
import { strangersPosition } from '../support/exchange/raydium/strangers-position.ts';
import { groupOf } from '../support/exchange/test-chain.ts';
import { BEHIND, hidingMarket } from '../support/market/hidden-trip.ts';
import { HIDINGS } from '../support/market/hiding.ts';
import { type MarketFixture, startMarketFixture } from '../support/market/market-platform.ts';
import { quoteTokens } from '../support/market/stored.ts';

describe.runIf(hasClmm)("strangers' liquidity on Raydium's real program", () => {
  let ground: MarketFixture;
  beforeAll(async () => {
    ground = await startMarketFixture({ exchange: RAYDIUM_OF_FIXTURE });
  });
  afterAll(() => ground.close());

  /** A market that has traded, and an index of it. */
  async function tradedMarket() {
    const market = await hidingMarket(ground, 'looks at pools');
    await market.trade('buy', 'in', quoteTokens(5_000n));
    await market.stored.settle(market.index);
    return market;
  }

  it('that comes and goes between trades which cross its bounds leaves the average known', async () => {
    await using market = await tradedMarket();
    const { launch, trader, trade, stored, index, average } = market;
    const near = await strangersPosition(launch, trader, [240, 240]);
    const wide = await strangersPosition(launch, trader, [1_200, 1_200]);
    for (const one of [near, wide]) await launch.chain.succeed(trader.wallet, one.open, [one.mint]);
    await trade('buy', 'in', quoteTokens(3_000n));
    await trade('sell', 'in', (await market.tokens()) / 2n);
    await launch.chain.succeed(trader.wallet, near.withdraw);
    await trade('buy', 'out', (await market.tokens()) / 4n);
    await stored.settle(index);
    await average();
    await launch.chain.succeed(trader.wallet, wide.withdraw);
    await trade('sell', 'in', (await market.tokens()) / 3n);
    await stored.settle(index);
    await average();
  });

  it('that lies beside the price, and so in one vault alone, is found where a trade reaches it', async () => {
    await using market = await tradedMarket();
    const { launch, trader, trade, stored, index, average } = market;
    const { baseIsToken0 } = launch.request.plan.opening;
    const below = await strangersPosition(launch, trader, baseIsToken0 ? [1_200, -240] : [-240, 1_200]);
    await launch.chain.succeed(trader.wallet, below.open, [below.mint]);
    await trade('sell', 'in', (await market.tokens()) / 2n);
    await launch.chain.succeed(trader.wallet, below.withdraw);
    await trade('buy', 'in', quoteTokens(100n));
    await stored.settle(index);
    await average();
  });

  it('that comes and goes with a trade in one transaction leaves the average known', async () => {
    await using market = await tradedMarket();
    const { launch, trader, stored, index, average } = market;
    // Its tick arrays exist when the transaction is built.
    const before = await strangersPosition(launch, trader);
    await launch.chain.succeed(trader.wallet, before.open, [before.mint]);
    const position = await strangersPosition(launch, trader);
    const { request, exchange } = launch;
    const group = exchange.buildSwap({
      base: request.base,
      quote: request.quote,
      side: 'buy',
      exact: 'in',
      amount: quoteTokens(2_000n),
      limit: 1n,
      state: await launch.state(),
      owner: trader.wallet.publicKey,
      inputTokenAccount: trader.quoteAccount,
      outputTokenAccount: trader.baseAccount,
    });
    const instructions = [position.open, group, position.withdraw].flatMap((one) => one.instructions);
    await launch.chain.succeed(trader.wallet, { ...groupOf(instructions), computeUnits: 1_400_000 }, [position.mint]);
    await stored.settle(index);
    await average();
  });

  it('explains no trade that the preferred endpoint hides', async () => {
    await using market = await tradedMarket();
    const { launch, trader, trade, stored, index, average, hide } = market;
    const position = await strangersPosition(launch, trader);
    await launch.chain.succeed(trader.wallet, position.open, [position.mint]);
    await trade('buy', 'in', quoteTokens(2_000n));
    await stored.settle(index);
    await average();
    hide(HIDINGS['hides single signatures']({ afterSlot: await ground.connection.getSlot('processed') }));
    const tokens = (await market.tokens()) / 2n;
    await trade('sell', 'in', tokens);
    await trade('buy', 'out', tokens);
    ground.finalize();
    await index.lookAtMarket();
    expect(await stored.swaps()).toHaveLength(2);
    await expect(average()).rejects.toThrow(BEHIND);
  });
});
