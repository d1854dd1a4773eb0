import { Keypair } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { countRequest } from '../../../db/rate-counters.ts';
import { testConfig } from '../../support/api/api-config.ts';
import { type MarketApp, useMarketApp } from '../../support/market/market-app.ts';

const config = testConfig({ RATE_LIMIT_API: '5' });
const counts: number[] = [];
const alone = useMarketApp(() => ({ config }));
const sharing = useMarketApp((db) => ({
  config,
  rateStore: {
    count: (key, windowMs, times) => {
      counts.push(times);
      return countRequest(db, key, windowMs, times);
    },
  },
}));

async function askTwice(market: MarketApp) {
  const creator = Keypair.generate().publicKey.toBase58();
  for (let n = 0; n < 3; n++) await market.launch({ terms: { creator } });
  const ask = async () => (await market.app().inject(`/api/public/v1/wallets/${creator}`)).statusCode;
  return [await ask(), await ask()];
}

test('each position of a wallet counts against the rate limit, as it costs reads of the chain', async () => {
  expect(await askTwice(alone)).toEqual([200, 429]);
});

test('a shared counter takes one statement for the request and one for all further positions', async () => {
  expect(await askTwice(sharing)).toEqual([200, 429]);
  expect(counts).toEqual([1, 2, 1, 2]);
});
