import { expect, test } from 'vitest';
import * as flywheelTokens from '../../db/buyback/flywheel-tokens.ts';
import { bookHarvest } from '../support/fee-sweep/revenue-rows.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const market = useMarketApp();

interface Shown {
  readonly mint: string;
  readonly flywheel?: { readonly active: boolean };
}

async function read<Data>(path: string): Promise<Data> {
  // A query of its own each time: kept answers may be a second old.
  return (await market.app().inject(`/api/public/v1/tokens${path}`)).json<{ data: Data }>().data;
}

test('a token is shown as active in the flywheel exactly while it is in the ranking', async () => {
  const [{ mint: ranked }, { mint: other }] = [await market.launch(), await market.launch()];
  await bookHarvest(market.db(), { mint: ranked, quoteMint: market.quoteMint });
  await flywheelTokens.rank(market.db(), { since: new Date(0), tokens: 10 });
  const { tokens } = await read<{ tokens: Shown[] }>('?pageSize=10');
  expect(tokens.find(({ mint }) => mint === ranked)?.flywheel).toEqual({ active: true });
  expect(tokens.find(({ mint }) => mint === other)).not.toHaveProperty('flywheel');
  const one = async (mint: string) => (await read<{ token: Shown }>(`/${mint}`)).token;
  expect((await one(ranked)).flywheel).toEqual({ active: true });
  expect(await one(other)).not.toHaveProperty('flywheel');
  await flywheelTokens.rank(market.db(), { since: new Date('2027-01-01'), tokens: 10 });
  const later = await read<{ tokens: Shown[] }>('?pageSize=11');
  expect(later.tokens.filter((token) => 'flywheel' in token)).toEqual([]);
});
