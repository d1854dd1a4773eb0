import { expect, it } from 'vitest';
import * as walletManifest from '../../db/platform/wallet-manifest.ts';
import * as rewardTokens from '../../db/reward/reward-tokens.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { forgedCursor } from '../support/api/forged-cursor.ts';
import { address } from '../support/launch/launch-rows.ts';
import { rewardFacts } from '../support/launch/launched-token.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const market = useMarketApp();

interface Wallet {
  readonly number: number;
  readonly role: string;
  readonly address: string;
  readonly mint: string | null;
  readonly event: string;
}

type Page = { readonly wallets: readonly Wallet[]; readonly pagination: { hasMore: boolean; nextCursor: string } };

const get = (query = '') => market.app().inject(`/api/public/v1/platform/wallets${query}`);
const page = async (query = '') => (await get(query)).json<{ data: Page }>().data;

it('launch wallets and pots are listed with their coins by the writes that bring them about', async () => {
  const { mint, terms } = await market.launch(rewardFacts(100));
  const pot = address();
  await rewardTokens.open(market.db(), mint, 'seed-1', pot);
  await rewardTokens.open(market.db(), mint, 'seed-1', pot);
  const { wallets } = await page('?limit=100');
  expect(wallets.filter((wallet) => wallet.mint === mint)).toMatchObject([
    { role: 'launch', address: terms.addresses.launchWallet, event: 'used' },
    { role: 'pot', address: pot, event: 'used' },
  ]);
  expect((await page('?role=pot&limit=99')).wallets.every(({ role }) => role === 'pot')).toBe(true);
});

it('another key of the worker is added and the one before it retired; a restart adds nothing', async () => {
  const db = market.db();
  const [first, second] = [address(), address()];
  const own = (one: string) => [{ role: 'treasury', address: one } as const];
  await walletManifest.noteOwn(db, own(first), 5n);
  await walletManifest.noteOwn(db, own(first), 6n);
  await walletManifest.noteOwn(db, own(second), 7n);
  const { wallets } = await page('?role=treasury&limit=98');
  expect(wallets).toMatchObject([
    { address: first, event: 'used', slot: 5 },
    { address: second, event: 'used', slot: 7 },
    { address: first, event: 'retired', slot: 7 },
  ]);
});

it('pages follow one another without gaps, a full one never changes, and later entries are behind the last cursor', async () => {
  await Promise.all([1, 2, 3].map(() => market.launch()));
  const all = (await page('?limit=97')).wallets;
  expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1));
  const first = await page('?limit=2');
  const { mint } = await market.launch();
  // Of the database: a response may come from a cache of some seconds.
  const again = await walletManifest.after(market.db(), 0, null, 2);
  expect(again.map(({ number, address: listed }) => [number, listed])).toEqual(
    first.wallets.map(({ number, address: listed }) => [number, listed]),
  );
  const last = (await page('?limit=96')).pagination;
  expect(last.hasMore).toBe(false);
  const { mint: later } = await market.launch();
  const behind = await page(`?limit=95&cursor=${last.nextCursor}`);
  expect(behind.wallets.map((wallet) => wallet.mint)).toEqual([later]);
  expect(mint).not.toBe(later);
});

it('an entry cannot be changed or removed, and a cursor of another list is refused in words', async () => {
  const db = market.db();
  await expect(db.deleteFrom('walletManifest').execute()).rejects.toThrow('append only');
  const refused = await get('?cursor=bm90aGluZw');
  expect([refused.statusCode, errorOf(refused).code]).toEqual([400, 'invalid_request']);
  const behind = await get(`?cursor=${forgedCursor('platform wallets', '', [2_000_000])}`);
  expect([behind.statusCode, errorOf(behind).code]).toEqual([400, 'invalid_request']);
  expect((await get(`?cursor=${forgedCursor('platform wallets', '', [0])}`)).statusCode).toBe(200);
});
