import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseExactJson } from '../../../chain/prices/exact-json.ts';
import { jupiterPriceReader } from '../../../chain/prices/jupiter-prices.ts';
import type { PriceReader } from '../../../chain/prices/price-source.ts';
import { pythPriceReader } from '../../../chain/prices/pyth-prices.ts';
import { type AnsweringServer, startAnsweringServer } from '../../support/answering-server.ts';

const FEED = 'ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d';
const SOL = 'So11111111111111111111111111111111111111112';
const now = new Date('2026-11-21T12:00:00Z');

let server: AnsweringServer;
beforeAll(async () => {
  server = await startAnsweringServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

/** An answer in the form of Hermes, cut to one feed. */
const hermes = (price: Record<string, unknown>, id = FEED) => ({
  status: 200,
  body: JSON.stringify({
    binary: { encoding: 'hex', data: ['504e4155'] },
    parsed: [{ id, price, ema_price: price, metadata: { slot: 380_000_000, prev_publish_time: 1_795_262_398 } }],
  }),
});

describe('Pyth', () => {
  const reader: PriceReader = (id) => pythPriceReader({ url: server.url, accessToken: 'token' })(id);

  it('gives the exact decimal, the time and the confidence rounded up', async () => {
    server.answer = hermes({ price: '13412345678', conf: '6706173', expo: -8, publish_time: 1_795_262_400 });
    expect(await reader(FEED)).toEqual({
      usd: '134.12345678',
      observedAt: new Date(1_795_262_400_000),
      confidenceBps: 6,
    });
    expect(server.requests[0]?.url).toBe(`/v2/updates/price/latest?ids%5B%5D=${FEED}&parsed=true`);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer token');
  });

  it('keeps every digit of a price that a float could not hold', async () => {
    server.answer = hermes({ price: '9007199254740993123', conf: '1', expo: -18, publish_time: 1 });
    expect(await reader(`0x${FEED}`)).toMatchObject({ usd: '9.007199254740993123', confidenceBps: 1 });
  });

  it('reads a positive exponent', async () => {
    server.answer = hermes({ price: '12', conf: '0', expo: 3, publish_time: 1 });
    expect(await reader(FEED)).toMatchObject({ usd: '12000', confidenceBps: 0 });
  });

  it.each<[string, () => AnsweringServer['answer'], string]>([
    ['an error status', () => ({ status: 401, body: 'no token' }), 'answered 401'],
    ['another feed', () => hermes({ price: '1', conf: '1', expo: 0, publish_time: 1 }, 'ab'), 'has no price of feed'],
    [
      'a float where an integer belongs',
      () => hermes({ price: '1.5', conf: '1', expo: 0, publish_time: 1 }),
      'unknown form',
    ],
    ['a missing field', () => hermes({ price: '1', expo: 0, publish_time: 1 }), 'unknown form'],
    ['no JSON', () => ({ status: 200, body: '<html>' }), 'JSON'],
    ['a body without end', () => ({ status: 200, body: ' '.repeat(300_000) }), 'more than 262144 bytes'],
  ])('fails on %s', async (_name, answer, message) => {
    server.answer = answer();
    await expect(reader(FEED)).rejects.toThrow(message);
  });

  it('gives up on a server that does not answer', async () => {
    server.answer = null;
    await expect(reader(FEED)).rejects.toThrow(/timeout|aborted/i);
  });

  it('never asks for something that is no feed id', async () => {
    await expect(reader('SOL/USD')).rejects.toThrow('is not a Pyth feed id');
    expect(server.requests).toHaveLength(0);
  });
});

describe('Jupiter', () => {
  const reader: PriceReader = (mint) =>
    jupiterPriceReader({ url: server.url, apiKey: 'key', currentSlot: async () => 348_004_048, now: () => now })(mint);

  it('gives the price as it was written and dates it by its slot', async () => {
    server.answer = {
      status: 200,
      body: `{"${SOL}":{"createdAt":"2024-06-05T08:55:25.527Z","liquidity":621679197.67,"usdPrice":147.4789560738336,"blockId":348004023,"decimals":9,"priceChange24h":1.29}}`,
    };
    expect(await reader(SOL)).toEqual({ usd: '147.4789560738336', observedAt: new Date(now.getTime() - 10_000) });
    expect(server.requests[0]?.url).toBe(`/price/v3?ids=${SOL}`);
    expect(server.requests[0]?.headers['x-api-key']).toBe('key');
  });

  it.each([
    ['0.12345678901234567890123', '0.12345678901234567890123'],
    ['1.5e-7', '0.00000015'],
    ['2E+3', '2000'],
  ])('writes %s as the exact plain decimal %s', async (written, usd) => {
    server.answer = { status: 200, body: `{"${SOL}":{"usdPrice":${written},"blockId":348004048}}` };
    expect(await reader(SOL)).toMatchObject({ usd, observedAt: now });
  });

  it.each<[string, AnsweringServer['answer'], string]>([
    ['an empty answer', { status: 200, body: '{}' }, `has no price of ${SOL}`],
    ['null for the mint', { status: 200, body: `{"${SOL}":null}` }, `has no price of ${SOL}`],
    ['a price without its slot', { status: 200, body: `{"${SOL}":{"usdPrice":1}}` }, 'unknown form'],
    ['too many requests', { status: 429, body: '' }, 'answered 429'],
  ])('fails on %s', async (_name, answer, message) => {
    server.answer = answer;
    await expect(reader(SOL)).rejects.toThrow(message);
  });
});

describe('exact JSON', () => {
  it('keeps the text of numbers at every depth and leaves the rest alone', () => {
    expect(parseExactJson('{"a":[1.10,{"b":1e2}],"c":"1.10","d":null,"e":true}')).toEqual({
      a: ['1.10', { b: '1e2' }],
      c: '1.10',
      d: null,
      e: true,
    });
  });
});
