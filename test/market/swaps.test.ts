import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveStandings } from '../../activities/market/figures.ts';
import type { QuotePrices } from '../../activities/market/quote-prices.ts';
import { QUOTE_PRICE_USD } from '../support/exchange/launch-request.ts';
import {
  buildHarvest,
  type LaunchUnderTest,
  openTrader,
  quoteAndBuild,
  swap,
  type Trader,
} from '../support/exchange/launched-pool.ts';
import { accountOf, groupOf, transferInstruction } from '../support/exchange/test-chain.ts';
import { type MarketFixture, startMarketFixture } from '../support/market/market-platform.ts';
import { indexBy, MARKET_SOURCES, type SourcedIndex } from '../support/market/sources.ts';
import { quoteTokens, type Stored, storedOf } from '../support/market/stored.ts';

describe.each(MARKET_SOURCES)('where the index %s,', (source) => {
  let ground: MarketFixture;
  let index: SourcedIndex;

  beforeAll(async () => {
    ground = await startMarketFixture({ slotMs: 40, stream: true });
    index = indexBy(ground, source);
  });
  afterAll(async () => {
    await index.stop();
    await ground.close();
  });

  describe('swaps of a pool', () => {
    let launch: LaunchUnderTest;
    let trader: Trader;
    let stored: Stored;

    beforeAll(async () => {
      launch = await ground.launch({ devBuy: true });
      stored = storedOf(ground, launch);
      trader = await openTrader(launch);
      // As many are new as are stored at once, and none of them is final before they are looked at.
      await stored.settle(index);
      ground.localnet.control.setSlotMs(400);
      await swap(launch, trader, { side: 'buy', exact: 'in', amount: quoteTokens(250n) });
      const held = await ground.chain.balance(trader.baseAccount);
      await swap(launch, trader, { side: 'sell', exact: 'in', amount: held / 3n });
      await swap(launch, trader, { side: 'buy', exact: 'out', amount: 10n ** 15n });
    });

    /** Expects the cursor to say what both vaults hold. */
    const expectVaults = async (): Promise<void> => {
      const { base, quote } = launch.request;
      const balanceOf = (token: typeof base) => ground.chain.balance(accountOf(token, launch.pool));
      expect(await stored.cursor()).toMatchObject({ baseRaw: await balanceOf(base), quoteRaw: await balanceOf(quote) });
    };

    it('show as soon as they are confirmed, the dev buy first and as its creator’s', async () => {
      await index.lookAtMarket();
      const swaps = await stored.swaps();
      ground.localnet.control.setSlotMs(40);
      expect(swaps.map(({ side }) => side)).toEqual(['buy', 'buy', 'sell', 'buy']);
      expect(swaps.map(({ wallet }) => wallet)[0]).toBe(launch.parties.creator.publicKey.toBase58());
      expect(swaps.at(-1)?.finalized).toBe(false);
    });

    it('are final once no fork can take them, the same to the unit', async () => {
      await stored.settle(index);
      await stored.expectCounted();
      await expectVaults();
    });

    it('are not counted again by further looks', async () => {
      const before = await stored.swaps();
      expect(await index.lookAtMarket()).toMatchObject({ changed: 0, stored: 0 });
      await index.pollPools([launch.pool.toBase58()]);
      await Promise.all([index.lookAtMarket(), index.lookAtMarket(), index.pollPools([launch.pool.toBase58()])]);
      expect(await stored.swaps()).toEqual(before);
    });

    it('are the same when several looks work on them at once', async () => {
      await swap(launch, trader, { side: 'buy', exact: 'in', amount: quoteTokens(3n) });
      await Promise.all([index.lookAtMarket(), index.lookAtMarket(), ground.index().lookAtMarket()]);
      ground.finalize();
      await Promise.all([index.lookAtMarket(), index.lookAtMarket(), ground.index().lookAtMarket()]);
      await stored.settle(index);
      await stored.expectCounted();
    });

    it('that are stored while figures are computed are in them after the next refresh, and settling them makes none due', async () => {
      await stored.settle(index);
      while ((await index.refreshMarketFigures()) > 0);
      const cursor = await stored.cursor();
      const slot = (await ground.connection.getSlot('confirmed')) + 20;
      const { priceQuote, supplyRaw, baseVaultRaw, quoteVaultRaw } = cursor;
      const standing = { supplyRaw: supplyRaw!, baseVaultRaw: baseVaultRaw!, quoteVaultRaw: quoteVaultRaw! };
      const volume = async () => Number((await stored.figures()).volume24hUsd);
      const before = await volume();
      const traded: QuotePrices = {
        ask: async () => {
          await swap(launch, trader, { side: 'buy', exact: 'in', amount: quoteTokens(7n) });
          await index.lookAtMarket();
          expect(await volume()).toBeGreaterThan(before);
        },
        present: () => Promise.resolve(QUOTE_PRICE_USD),
        at: () => Promise.resolve([]),
      };
      const deps = { db: ground.db, now: () => new Date(ground.now()), settings: { aboutToGraduateBps: 9_000 } };
      await saveStandings(deps, [{ cursor, priceQuote: priceQuote!, slot, ...standing }], traded);
      expect(await volume()).toBe(before);

      ground.localnet.control.advanceSlots(20);
      expect(await index.refreshMarketFigures()).toBe(1);
      const after = await volume();
      expect(after - before).toBeCloseTo(7 * Number(QUOTE_PRICE_USD), 6);
      await stored.settle(index);
      expect(await index.refreshMarketFigures()).toBe(0);
      expect(await volume()).toBe(after);
    });

    it('are neither what a stranger sends to a vault nor what failed', async () => {
      const before = await stored.swaps();
      const send = (amount: bigint) => {
        const vault = accountOf(launch.request.base, launch.pool);
        const dust = transferInstruction(
          launch.request.base,
          trader.baseAccount,
          vault,
          trader.wallet.publicKey,
          amount,
        );
        return launch.chain.land(trader.wallet, groupOf([dust]));
      };
      expect((await send(5n)).err).toBeNull();
      expect((await send(10n ** 18n)).err).not.toBeNull();
      await swap(launch, trader, { side: 'buy', exact: 'in', amount: quoteTokens(1n) });
      await stored.settle(index);
      expect(await stored.swaps()).toHaveLength(before.length + 1);
      await stored.expectCounted();
      await expectVaults();
    });

    it('are not the harvests of the pool’s fees', async () => {
      const before = await stored.swaps();
      const { creator } = launch.parties;
      await launch.chain.fund(creator.publicKey, 100_000_000);
      const { group } = await buildHarvest(launch, 0, creator.publicKey);
      await launch.chain.succeed(creator, group);
      await stored.settle(index);
      expect(await stored.swaps()).toEqual(before);
      await expectVaults();
    });
  });

  describe('a taxed token whose mint sorts last', () => {
    it('has its swaps counted as its vaults changed', async () => {
      const launch = await ground.launch({
        fee: { mode: 'reward', rewardTaxBps: 300 },
        baseFirst: false,
        devBuy: true,
      });
      const stored = storedOf(ground, launch);
      const trader = await openTrader(launch);
      await swap(launch, trader, { side: 'buy', exact: 'in', amount: quoteTokens(70n) });
      const held = await ground.chain.balance(trader.baseAccount);
      await swap(launch, trader, { side: 'sell', exact: 'in', amount: held });
      await stored.settle(index);
      await stored.expectCounted();
    });
  });

  describe('one transaction that trades on two pools', () => {
    it('is a swap of each', async () => {
      const [one, other] = [await ground.launch(), await ground.launch({ baseFirst: false })];
      const trader = await openTrader(one);
      const { wallet } = trader;
      const { chain } = ground;
      const theirs = {
        wallet,
        baseAccount: await chain.openAccount(other.request.base, wallet.publicKey),
        quoteAccount: await one.chain.give(other.request.quote, wallet.publicKey, quoteTokens(100n)),
      };
      const first = (await quoteAndBuild(one, trader, { side: 'buy', exact: 'in', amount: quoteTokens(4n) })).group;
      const second = (await quoteAndBuild(other, theirs, { side: 'buy', exact: 'in', amount: quoteTokens(9n) })).group;
      const instructions = [...first.instructions, ...second.instructions];
      const keys = instructions.flatMap(({ keys: metas }) => metas.filter(({ isSigner }) => !isSigner));
      const table = await chain.createLookupTable(keys.map(({ pubkey }) => pubkey));
      const both = { ...first, instructions, signers: [...first.signers, ...second.signers], computeUnits: 400_000 };
      const { signature } = await chain.succeed(wallet, both, [], [table]);
      for (const [launch, quoteRaw] of [
        [one, quoteTokens(4n)],
        [other, quoteTokens(9n)],
      ] as const) {
        const stored = storedOf(ground, launch);
        await stored.settle(index);
        await stored.expectCounted();
        expect(await stored.swaps()).toMatchObject([{ signature, index: 0, quoteRaw }]);
      }
    });
  });

  describe.skipIf(source === 'follows a stream')('pools that nobody trades', () => {
    it('cost one account of a shared read each, and no history', async () => {
      const launch = await ground.launch();
      await storedOf(ground, launch).settle(index);
      const report = await index.lookAtMarket();
      expect(report).toMatchObject({ changed: 0, stored: 0, failed: 0 });
      expect(report.pools).toBeGreaterThanOrEqual(3);
      expect(index.state()).toEqual({ lagSlots: 0, gaps: 0 });
    });
  });

  describe('a price that nobody knows', () => {
    it('leaves figures empty and swaps stored; what was worth nothing known adds nothing', async () => {
      const launch = await ground.launch();
      const stored = storedOf(ground, launch);
      const trader = await openTrader(launch);
      const quoteMint = launch.request.quote.mint.toBase58();
      await ground.db.deleteFrom('priceObservations').where('mint', '=', quoteMint).execute();
      await swap(launch, trader, { side: 'buy', exact: 'in', amount: quoteTokens(10n) });
      await stored.settle(index);
      expect(await stored.swaps()).toMatchObject([{ quoteUsd: null, priceUsd: null, valueUsd: null, finalized: true }]);
      const empty = { priceUsd: null, marketCapUsd: null, liquidityUsd: null, priceChange24hPercent: null };
      expect(await stored.market()).toMatchObject({ ...empty, volume24hUsd: '0', status: 'new' });
      await ground.setPrice(launch.request.quote.mint, '2');
      expect(await index.refreshMarketFigures()).toBeGreaterThanOrEqual(1);
      const { priceQuote, priceUsd } = await stored.market();
      expect(Number(priceUsd)).toBeCloseTo(2 * Number(priceQuote), 20);
    });
  });
});
