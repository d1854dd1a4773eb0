import { Keypair } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { testDeps } from '../../support/api/test-app.ts';
import { useMarketApp } from '../../support/market/market-app.ts';

let asked = 0;
/** A chain whose pools cannot be read. */
const unreadable = async () => {
  asked += 1;
  throw new Error('the pool is not on the chain');
};

const market = useMarketApp((db) => {
  const { launching } = testDeps({ db });
  return { launching: { ...launching, exchange: { ...launching.exchange, readPool: unreadable } } };
});

const wallet = Keypair.generate().publicKey.toBase58();

test('a position that cannot be read is shown without amounts, and deferred as claims are prepared', async () => {
  const { mint } = await market.launch({ terms: { creator: wallet } });
  const url = `/api/public/v1/wallets/${wallet}`;
  const shown = await market.app().inject(url);
  expect([shown.statusCode, shown.json()]).toMatchObject([
    200,
    { data: { launchCount: 1, positions: [{ mint, feeKey: { holder: null, isHeld: false }, claimable: null }] } },
  ]);
  const prepared = await market.app().inject({ method: 'POST', url: `${url}/fees/claim/prepare`, payload: {} });
  expect([prepared.statusCode, prepared.json()]).toMatchObject([
    200,
    {
      data: {
        claims: [],
        deferred: [{ mint, reason: 'its claim could not be prepared now; prepare it again' }],
        remaining: 0,
      },
    },
  ]);
});

test('positions over the limit are deferred before the chain is asked for them', async () => {
  const other = Keypair.generate().publicKey.toBase58();
  for (let n = 0; n < 3; n++) await market.launch({ terms: { creator: other } });
  const url = `/api/public/v1/wallets/${other}/fees/claim/prepare`;
  const prepare = () => market.app().inject({ method: 'POST', url, payload: {}, remoteAddress: '198.51.100.9' });
  // Twenty a minute: of seven requests for three positions, the last reads two.
  for (let n = 0; n < 6; n++) expect((await prepare()).statusCode).toBe(200);
  const before = asked;
  const { data } = (await prepare()).json<{ data: { deferred: { reason: string }[] } }>();
  expect([data.deferred.length, asked - before]).toEqual([3, 2]);
});
