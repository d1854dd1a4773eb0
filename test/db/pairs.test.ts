import { describe, expect, it } from 'vitest';
import * as auditLog from '../../db/platform/audit-log.ts';
import * as pairs from '../../db/pairs.ts';
import type { PairListing } from '../../db/pairs.ts';
import * as prices from '../../db/prices/prices.ts';
import { address } from '../support/launch/launch-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();
const maria = { actor: 'maria', note: 'because' };

function listing(overrides: Partial<PairListing> = {}): PairListing {
  return {
    mint: address(),
    symbol: 'USDC',
    name: 'USD Coin',
    decimals: 6,
    tokenProgram: address(),
    logoUrl: null,
    category: address(),
    priceSource: 'fixed',
    priceSourceId: 'usdc',
    priceMaxAgeMs: 60_000,
    priceMaxConfidenceBps: 50,
    ...overrides,
  };
}

describe('pairs', () => {
  it('are launchable once listed, and keep everything they were listed with', async () => {
    const usdc = listing();
    await pairs.add(db(), usdc, maria);
    expect(await pairs.byMint(db(), usdc.mint)).toMatchObject({ ...usdc, status: 'active', launchable: true });
  });

  it('stop being launchable when they or their category retire, and stay listed', async () => {
    const category = address();
    const [kept, retired] = [listing({ category, symbol: 'A' }), listing({ category, symbol: 'B' })];
    await pairs.add(db(), kept, maria);
    await pairs.add(db(), retired, maria);
    expect(await pairs.retire(db(), retired.mint, maria)).toBe(true);
    const launchable = async () => (await pairs.list(db(), { category, launchable: true })).map(({ mint }) => mint);
    expect(await launchable()).toEqual([kept.mint]);
    expect(await pairs.setCategoryRetired(db(), category, true, maria)).toBe(true);
    expect(await launchable()).toEqual([]);
    const all = await pairs.list(db(), { category });
    expect(all.map(({ symbol, launchable }) => [symbol, launchable])).toEqual([
      ['A', false],
      ['B', false],
    ]);
    expect(all[1]?.retiredAt).toBeInstanceOf(Date);
  });

  it('come back with new facts when they are listed again', async () => {
    const first = listing();
    await pairs.add(db(), first, maria);
    await pairs.retire(db(), first.mint, maria);
    await pairs.add(db(), { ...first, priceMaxAgeMs: 5_000 }, maria);
    expect(await pairs.byMint(db(), first.mint)).toMatchObject({
      launchable: true,
      priceMaxAgeMs: 5_000,
      retiredAt: null,
    });
  });

  it('write every change to the audit log, and none that did not happen', async () => {
    const usdc = listing();
    await pairs.add(db(), usdc, maria);
    expect(await pairs.retire(db(), usdc.mint, maria)).toBe(true);
    expect(await pairs.retire(db(), usdc.mint, maria)).toBe(false);
    expect(await pairs.setCategoryRetired(db(), 'no such category', true, maria)).toBe(false);
    const entries = await auditLog.ofSubject(db(), `pair/${usdc.mint}`);
    expect(entries.map(({ action, note }) => [action, note])).toEqual([
      ['pair.retire', 'because'],
      ['pair.add', 'because'],
    ]);
  });
});

describe('price observations', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, second));

  it('come back to the last digit, newest by the time of the source', async () => {
    const mint = address();
    const usd = ['0.00000000000000012345', '123456789012345678901.5', '7'];
    const order = [3, 1, 2];
    await prices.record(
      db(),
      usd.map((value, index) => ({ mint, usd: value, source: 'fixed', observedAt: at(order[index]!) })),
    );
    expect(await prices.latest(db(), mint)).toMatchObject({ usd: usd[0], source: 'fixed', observedAt: at(3) });
    expect(await prices.latest(db(), address())).toBeNull();
    expect([...(await prices.latestOf(db(), [mint, address()])).keys()]).toEqual([mint]);
    expect((await prices.latestOf(db(), [mint])).get(mint)).toMatchObject({ usd: usd[0] });
  });

  it('cannot be zero', async () => {
    const zero = prices.record(db(), [{ mint: address(), usd: '0', source: 'fixed', observedAt: at(1) }]);
    await expect(zero).rejects.toThrow('price_observations');
  });
});
