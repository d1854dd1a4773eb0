import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import * as tokens from '../../db/tokens.ts';
import { address } from '../support/launch/launch-rows.ts';
import { listPair } from '../support/api/test-pairs.ts';
import { useMarketApp } from '../support/market/market-app.ts';
import { lookAlikesOf } from '../../db/look-alikes.ts';
import type { TokenFacts } from '../support/launch/launched-token.ts';

const market = useMarketApp();
const CYRILLIC_A = '\u0430';

async function launch(name: string, symbol: string, day: number, more: Omit<TokenFacts, 'token' | 'launchedAt'> = {}) {
  const facts = { ...more, token: { name, symbol }, launchedAt: new Date(Date.UTC(2026, 9, day)) };
  return (await market.launch(facts)).mint;
}

interface Answer {
  readonly data: { readonly token: { readonly similarTo?: object } };
}

async function similarTo(mint: string): Promise<object | undefined> {
  const response = await market.app().inject(`/api/public/v1/tokens/${mint}`);
  return response.json<Answer>().data.token.similarTo;
}

describe('a token says which other one it can be taken for', () => {
  test('a listed pair by symbol or name, before every launched token, and an earlier launch', async () => {
    const pair = await listPair(market.db(), { symbol: 'NVDAx', name: 'Nvidia xStock', category: 'stock' });
    const first = await launch('Paper Boat', 'BOAT', 1);
    const graduated = await launch('Paper  Boat', 'BOAT2', 2, { market: { status: 'graduated' } });
    const imitators = [
      [await launch('Chip', 'NVD\u0410x', 3), { mint: pair.mint, kind: 'pair', why: 'similarSymbol' }],
      [await launch('nvidia xstock', 'CHIP', 3), { mint: pair.mint, kind: 'pair', why: 'similarName' }],
      [await launch('Paper Bo\u0430t', 'BOAT', 4), { mint: graduated, kind: 'graduated', why: 'similarName' }],
      [await launch('Another', 'b0at', 4), { mint: first, kind: 'token', why: 'similarSymbol' }],
    ] as const;
    for (const [mint, expected] of imitators) expect(await similarTo(mint)).toMatchObject(expected);
    expect(await similarTo(first)).toBeUndefined();
    const list = await market.app().inject('/api/public/v1/tokens?q=b0at');
    expect(list.json<{ data: { tokens: unknown[] } }>().data.tokens).toMatchObject([{ similarTo: { mint: first } }]);
  });

  test('a hidden and a withdrawn token are imitated no more; a listed pair imitates none', async () => {
    const [hidden, withdrawn] = [await launch('Glass Fish', 'GLASS', 1), await launch('Glass Frog', 'FROGGY', 1)];
    const [late, later] = [await launch('x', `GL${CYRILLIC_A}SS`, 2), await launch('y', 'FR0GGY', 2)];
    expect(await similarTo(late)).toMatchObject({ mint: hidden, why: 'similarSymbol' });
    await tokens.setHidden(market.db(), hidden, true, { actor: 'test' });
    await tokens.withdraw(market.db(), withdrawn);
    const given = [late, later].map((mint, place) => ({
      mint,
      name: ['x', 'y'][place]!,
      symbol: ['GLASS', 'FR0GGY'][place]!,
      createdAt: '2026-10-02T00:00:00Z',
    }));
    expect(await lookAlikesOf(market.db(), given)).toEqual([null, null]);
    const pair = await listPair(market.db(), { mint: address(), symbol: 'GLASS' });
    expect(await lookAlikesOf(market.db(), [{ ...given[0]!, mint: pair.mint }])).toEqual([null]);
  });

  test('a launch that is only prepared is compared with all tokens', async () => {
    const mint = await launch('Copper Kettle', 'KETTLE', 1);
    const wish = { mint: null, createdAt: null, name: 'New', symbol: 'kettIe' };
    expect(await lookAlikesOf(market.db(), [wish])).toMatchObject([{ mint, why: 'similarSymbol' }]);
  });
});

describe('of many tokens of one name', () => {
  test('the graduated one is found behind any number of earlier dead ones, then one that still trades', async () => {
    for (let n = 0; n < 25; n++) await launch(`Dead ${n}`, 'LARK', 1);
    const graduated = await launch('Alive', 'LARK', 2, { market: { status: 'graduated' } });
    await launch('Alive too', 'LARK', 3, { market: { status: 'graduated' } });
    const wish = { mint: null, createdAt: null, name: 'New', symbol: 'lark' };
    expect(await lookAlikesOf(market.db(), [wish])).toMatchObject([{ mint: graduated, kind: 'graduated' }]);
  });

  test('one that still trades comes before any number of earlier ones that do not', async () => {
    for (let n = 0; n < 25; n++) await launch(`Quiet ${n}`, 'WREN', 1);
    const traded = await launch('Busy', 'WREN', 2);
    await sql`update token_markets set volume24h_usd = 3 where mint = ${traded}`.execute(market.db());
    const wish = { mint: null, createdAt: null, name: 'New', symbol: 'wren' };
    expect(await lookAlikesOf(market.db(), [wish])).toMatchObject([{ mint: traded, kind: 'token' }]);
  });
});

async function trades(mint: string, trades24h: number): Promise<void> {
  await sql`insert into token_trading (mint, trades24h, traders24h, counted_at)
    values (${mint}, ${trades24h}, ${Math.min(trades24h, 1)}, now())`.execute(market.db());
}

test('a creator’s launches come with what became of them', async () => {
  const creator = address();
  const terms = { creator };
  await launch('One', 'ONE', 1, { terms, market: { status: 'graduated' } });
  await trades(await launch('Two', 'TWO', 2, { terms }), 7);
  await trades(await launch('Four', 'FOUR', 2, { terms }), 0);
  const hidden = await launch('Three', 'THREE', 3, { terms });
  await tokens.setHidden(market.db(), hidden, true, { actor: 'test' });
  const read = async (query: string) => {
    const response = await market.app().inject(`/api/public/v1/launches?${query}`);
    return response.json<{ data: { creator?: object } }>().data.creator;
  };
  expect(await read(`creator=${creator}&pageSize=1`)).toEqual({
    wallet: creator,
    launches: 4,
    graduated: 1,
    stillTraded: 1,
  });
  expect(await read('pageSize=1')).toBeUndefined();
});
