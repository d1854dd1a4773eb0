import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startApi } from '../support/platform/api.ts';
import { createCreator } from '../support/platform/creator.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { startLiar } from '../support/rpc/scripted-node.ts';

let platform: Platform;
let asked = 0;
let isRefusing = false;

/** A price service of Pyth's form, with a limit of its own. */
const service = createServer((request, response) => {
  asked += 1;
  if (isRefusing) {
    response.writeHead(429).end('Too Many Requests from 198.51.100.7');
    return;
  }
  const ids = new URL(request.url ?? '', 'http://x').searchParams.getAll('ids[]');
  const publishedAt = Math.floor(Date.now() / 1_000);
  const price = { price: '100000000', conf: '1000', expo: -8, publish_time: publishedAt };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ parsed: ids.map((id) => ({ id: id.replace(/^0x/, ''), price })) }));
});

beforeAll(async () => {
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  platform = await startPlatform({ variables: { PRICE_SOURCE: 'pyth', PYTH_URL: url, CLAIMABLE_SECONDS: '2' } });
  await platform.db
    .updateTable('pairs')
    .set({ priceSource: 'pyth', priceSourceId: 'ab'.repeat(32), priceMaxAgeMs: 60_000, priceMaxConfidenceBps: 100 })
    .execute();
});
afterAll(async () => {
  await platform.close();
  service.close();
});

it('what the chain and the price service are asked does not grow with the number of requests', async () => {
  const creator = await createCreator(platform);
  const pathOf = async () => `/api/public/v1/tokens/${(await creator.launchToEnd()).answer.data?.mint}/fees`;
  const [one, many] = [await pathOf(), await pathOf()];
  await using node = await startLiar(platform.chain.rpcUrl, (_method, result) => result);
  const api = await startApi({ ...platform.variables, SOLANA_RPC_URL: node.url }, platform.log);
  onTestFinished(() => api.close());
  const upstream = async (path: string, requests: number) => {
    const before = { chain: node.requests.length, prices: asked };
    const crowd = await Promise.all(Array.from({ length: requests }, () => api.inject(path)));
    expect(new Set(crowd.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    const data = crowd.map((answer) => JSON.stringify(answer.json<{ data: unknown }>().data));
    expect(new Set(data).size).toBeLessThanOrEqual(2);
    return { chain: node.requests.length - before.chain, prices: asked - before.prices };
  };
  const single = await upstream(one, 1);
  expect(single.chain).toBeGreaterThan(0);
  const crowd = await upstream(many, 50);
  // On a slow machine an answer grows old, and is made anew, before all of them were given.
  expect(crowd.chain).toBeLessThanOrEqual(3 * single.chain);
  expect(crowd.prices).toBeLessThanOrEqual(3);
}, 60_000);

it('a price service that refuses stops nobody while its last price is good, and is shown to nobody', async () => {
  const creator = await createCreator(platform);
  await creator.prepare();
  isRefusing = true;
  await creator.prepare();
  await platform.db
    .updateTable('pairs')
    .set({ priceSourceId: 'cd'.repeat(32) })
    .execute();
  const refused = await creator.tryPrepare();
  expect([refused.http, refused.error?.code]).toEqual([503, 'service_unavailable']);
  expect(JSON.stringify(refused)).not.toMatch(/127\.0\.0\.1|429|Too Many|v2|hermes/);
  isRefusing = false;
}, 60_000);
