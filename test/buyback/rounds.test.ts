import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUYBACK_KINDS, buybackBurnPurpose, buybackId, buybackSwapPurpose } from '../../domain/buyback/buyback.ts';
import { landedMovements } from '../support/lanes/landed.ts';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { worthUsd } from '../../domain/pool-price.ts';
import { accountOf } from '../support/claim/claim-market.ts';
import type { FeeMarket } from '../support/fee-sweep/fee-sweep-platform.ts';
import { type BuybackFixture, startBuybackFixture } from '../support/buyback/buyback-platform.ts';

const bitcoin = SEED_PAIRS.find(({ symbol }) => symbol === 'LBIT')!;

let ground: BuybackFixture;
/** Trades for dollars; becomes the platform token. */
let own: FeeMarket;
/** A reward token that trades for bitcoin. */
let other: FeeMarket;
beforeAll(async () => {
  ground = await startBuybackFixture();
  own = await ground.open({ mode: 'standard', feeTier: '1%' });
  other = await ground.open({ mode: 'reward', rewardTaxBps: 100, quoteMint: bitcoin.mint.toBase58() });
  await ground.earn(own, 100_000_000n);
  await ground.earn(other, 100_000n);
});
afterAll(() => ground.close());

/** The movements of a token's purchases that the chain has in the treasury's account of it. */
async function landedOf({ base, mint }: FeeMarket): Promise<string[]> {
  const ids = BUYBACK_KINDS.flatMap((kind) => [1, 2, 3, 4].map((number) => buybackId(kind, mint, number)));
  const purposes = ids.flatMap((id) => [buybackSwapPurpose(id), buybackBurnPurpose(id, 1)]);
  return (await landedMovements(ground.platform, accountOf(base, ground.wallets.treasury), purposes)).sort();
}

async function read(path: string): Promise<{ data: Record<string, unknown> }> {
  return (await ground.platform.api.inject({ method: 'GET', url: `/api/public/v1${path}` })).json();
}

describe('the shares of the revenue', () => {
  it('are set aside to the unit, half for the platform token and a tenth for the ranked ones', async () => {
    for (const market of [own, other]) {
      const harvests = await market.harvests();
      const share = (bps: bigint) => harvests.reduce((sum, { quoteRaw }) => sum + (quoteRaw * bps) / 10_000n, 0n);
      expect(await ground.budget('buyback', market)).toMatchObject({ allocatedRaw: share(5_000n), spentRaw: 0n });
      expect(await ground.budget('flywheel', market)).toMatchObject({ allocatedRaw: share(1_000n), spentRaw: 0n });
    }
  });
});

describe('a round without a platform token', () => {
  it('buys and burns the ranked tokens, and lets the other share accumulate', async () => {
    const supplies = [await own.supply(), await other.supply()];
    const held = [await ground.treasury(own), await ground.treasury(other)];
    expect(await ground.buyBack()).toBe(2);
    const rounds = await ground.rounds();
    for (const [index, market] of [own, other].entries()) {
      const round = rounds.find(({ mint }) => mint === market.mint)!;
      const { allocatedRaw } = await ground.budget('flywheel', market);
      expect(round).toMatchObject({
        kind: 'flywheel',
        number: 1,
        state: 'done',
        spentRaw: allocatedRaw,
        problem: null,
      });
      const now = await ground.treasury(market);
      expect(now).toEqual({ base: 0n, quote: held[index]!.quote - allocatedRaw });
      expect(supplies[index]! - (await market.supply())).toBe(round.boughtRaw);
      const id = `buyback/flywheel-${market.mint}-1`;
      expect(await landedOf(market)).toEqual([`${id}/burn/1`, `${id}/swap`]);
    }
    expect(await ground.burned('buyback')).toEqual([]);
    for (const market of [own, other]) {
      const problem = 'PLATFORM_TOKEN_MINT is not set';
      expect(await ground.budget('buyback', market)).toMatchObject({ problem, spentRaw: 0n });
    }
  });

  it('marks the ranked tokens, whose burns are all shown', async () => {
    const burns = await ground.burned('flywheel');
    expect(burns.map(({ mint }) => mint).sort()).toEqual([own.mint, other.mint].sort());
    expect((await read(`/tokens/${own.mint}`)).data).toMatchObject({ token: { flywheel: { active: true } } });
    const all = await own.burns();
    expect((await read(`/tokens/${own.mint}/burns`)).data['totals']).toMatchObject({ burnCount: all.length });
  });

  it('finds nothing left to buy in the next one', async () => {
    expect(await ground.buyBack()).toBe(0);
    expect(await ground.rounds()).toHaveLength(2);
  });
});

describe('a round with a launched token as the platform’s', () => {
  beforeAll(() => ground.restartWith(own.mint));

  it('spends the accumulated share, and burns exactly what the swap brought although a stranger sent more', async () => {
    const dust = 12_345n;
    await own.send(ground.wallets.treasury, dust);
    const [supply, held] = [await own.supply(), await ground.treasury(own)];
    expect(await ground.buyBack()).toBe(1);
    const [round] = await ground.rounds('buyback');
    const { allocatedRaw, spentRaw, problem } = await ground.budget('buyback', own);
    expect([spentRaw, problem]).toEqual([allocatedRaw, null]);
    expect(await ground.treasury(own)).toEqual({ base: dust, quote: held.quote - allocatedRaw });
    expect(supply - (await own.supply())).toBe(round?.boughtRaw);
    const [burn] = await ground.burned('buyback');
    const valueUsd = worthUsd(allocatedRaw, own.quote.decimals, '1');
    expect(burn).toMatchObject({ mint: own.mint, amountRaw: round?.boughtRaw });
    expect(Number(burn?.valueUsd)).toBe(Number(valueUsd));
    expect(Number(round?.averagePrice)).toBeGreaterThan(0);
  });

  it('leaves the share in another quote token in the budget and says why', async () => {
    const { spentRaw, problem } = await ground.budget('buyback', other);
    expect(spentRaw).toBe(0n);
    expect(problem).toContain('not for this token');
  });

  it('shows as allocated and spent, apart from each other', async () => {
    const { data } = await read('/revenue');
    const { totalBuybackUsd, holdersRevenueUsd } = data['revenue'] as Record<string, number>;
    const [burn] = await ground.burned('buyback');
    expect(totalBuybackUsd).toBe(Number(burn?.valueUsd));
    expect(holdersRevenueUsd).toBeGreaterThan(Number(burn?.valueUsd));
    expect(data['recentBuybacks']).toMatchObject([{ mint: own.mint, burnSignature: burn?.signature }]);
  });

  it('keeps an order planned while the price is too far from the average, and buys once it is not', async () => {
    await ground.earn(own, 150_000_000n);
    await own.tradeSeen('buy', 2_000_000_000n);
    expect(await ground.buyBack()).toBe(0);
    const planned = (await ground.rounds()).filter(({ state }) => state === 'planned');
    expect(planned.map(({ kind, number }) => `${kind} ${number}`).sort()).toEqual(['buyback 2', 'flywheel 2']);
    for (const { problem } of planned) expect(problem).toContain('by the average price');
    await own.tradeSeen('sell', ((await own.holdings(own.trader.publicKey)).base * 9n) / 10n);
    expect(await ground.buyBack()).toBe(2);
    const { allocatedRaw, spentRaw } = await ground.budget('buyback', own);
    expect(spentRaw).toBe(allocatedRaw);
  });
});
