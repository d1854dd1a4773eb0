import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MarketSwap, type MarketSwapDeps, buildMarketSwap } from '../../activities/trading/swap.ts';
import { RpcUnavailableError } from '../../chain/rpc/json-rpc.ts';
import { type MarketFixture, startMarketFixture } from '../support/market/market-platform.ts';

let ground: MarketFixture;
beforeAll(async () => {
  ground = await startMarketFixture();
});
afterAll(() => ground.close());

const stamp = {} as Parameters<typeof buildMarketSwap>[2];

test('a pool that an endpoint has not seen is no refusal of the market, which would end a sale', async () => {
  const launch = await ground.launch();
  const { base, quote } = launch.request;
  const tip = Keypair.generate().publicKey;
  const deps = {
    exchange: ground.exchange,
    exchangeAt: ground.exchangeAt,
    rpc: ground.rpc(''),
    relay: { tipAccounts: () => Promise.resolve([tip]) },
  } as Pick<MarketSwapDeps, 'exchange' | 'exchangeAt' | 'rpc'> as MarketSwapDeps;
  const pool = Keypair.generate().publicKey;
  const swap = { base, quote, pool, side: 'sell', mostRaw: 1n } as Pick<MarketSwap, 'pool'> as MarketSwap;
  await expect(buildMarketSwap(deps, swap, stamp)).rejects.toThrow(RpcUnavailableError);
});
