import { beforeEach, describe, expect, it } from 'vitest';
import { createAuditLogRepository } from '../../db/platform/audit-log.ts';
import { createPairRepository, type PairListing, type PairRepository } from '../../db/pairs.ts';
import { createPriceRepository } from '../../db/prices/prices.ts';
import { address } from '../support/launch/launch-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();
const maria = { actor: 'maria', note: 'because' };
let pairs: PairRepository;

beforeEach(() => {
  pairs = createPairRepository(db());
});

function listing(overrides: Partial<PairListing> = {}): PairListing {
  return {
    ...{ mint: address(), symbol: 'USDC', name: 'USD Coin', decimals: 6, tokenProgram: address(), logoUrl: null },
    ...{ category: address(), priceSource: 'fixed', priceSourceId: 'usdc', priceMaxAgeMs: 60_000 },
    priceMaxConfidenceBps: 50,
    ...overrides,
  };
}

describe('pairs', () => {
  it('are launchable once listed, and keep everything they were listed with', async () => {
    const usdc = listing();
    await pairs.add(usdc, maria);
    expect(await pairs.byMint(usdc.mint)).toMatchObject({ ...usdc, status: 'active', launchable: true });
  });

  it('stop being launchable when they or their category retire, and stay listed', async () => {
    const category = address();
    const [kept, retired] = [listing({ category, symbol: 'A' }), listing({ category, symbol: 'B' })];
    await pairs.add(kept, maria);
    await pairs.add(retired, maria);
    expect(await pairs.retire(retired.mint, maria)).toBe(true);
    const launchable = async () => (await pairs.list({ category, launchable: true })).map(({ mint }) => mint);
    expect(await launchable()).toEqual([kept.mint]);
    expect(await pairs.setCategoryRetired(category, true, maria)).toBe(true);
    expect(await launchable()).toEqual([]);
    const all = await pairs.list({ category });
    expect(all.map(({ symbol, launchable }) => [symbol, launchable])).toEqual([
      ['A', false],
      ['B', false],
    ]);
    expect(all[1]?.retiredAt).toBeInstanceOf(Date);
  });

  it('come back with new facts when they are listed again', async () => {
    const first = listing();
    await pairs.add(first, maria);
    await pairs.retire(first.mint, maria);
    await pairs.add({ ...first, priceMaxAgeMs: 5_000 }, maria);
    expect(await pairs.byMint(first.mint)).toMatchObject({ launchable: true, priceMaxAgeMs: 5_000, retiredAt: null });
  });

  it('write every change to the audit log, and none that did not happen', async () => {
    const usdc = listing();
    await pairs.add(usdc, maria);
    expect(await pairs.retire(usdc.mint, maria)).toBe(true);
    expect(await pairs.retire(usdc.mint, maria)).toBe(false);
    expect(await pairs.setCategoryRetired('no such category', true, maria)).toBe(false);
    const entries = await createAuditLogRepository(db()).ofSubject(`pair/${usdc.mint}`);
    expect(entries.map(({ action, note }) => [action, note])).toEqual([
      ['pair.retire', 'because'],
      ['pair.add', 'because'],
    ]);
  });
});

describe('price observations', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, second));

  it('come back to the last digit, newest by the time of the source', async () => {
    const prices = createPriceRepository(db());
    const mint = address();
    const usd = ['0.00000000000000012345', '123456789012345678901.5', '7'];
    const order = [3, 1, 2];
    await prices.record(
      usd.map((value, index) => ({ mint, usd: value, source: 'fixed', observedAt: at(order[index]!) })),
    );
    expect(await prices.latest(mint)).toMatchObject({ usd: usd[0], source: 'fixed', observedAt: at(3) });
    expect((await prices.since(mint, at(2))).map((row) => row.usd)).toEqual([usd[2], usd[0]]);
    expect(await prices.latest(address())).toBeNull();
    expect([...(await prices.latestOf([mint, address()])).keys()]).toEqual([mint]);
    expect((await prices.latestOf([mint])).get(mint)).toMatchObject({ usd: usd[0] });
  });

  it('cannot be zero', async () => {
    const zero = createPriceRepository(db()).record([
      { mint: address(), usd: '0', source: 'fixed', observedAt: at(1) },
    ]);
    await expect(zero).rejects.toThrow('price_observations');
  });
});
