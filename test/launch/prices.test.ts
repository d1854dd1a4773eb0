import { NATIVE_MINT } from '@solana/spl-token';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PYTH_SOL_USD } from '../../chain/prices/configured-prices.ts';
import * as prices from '../../db/prices/prices.ts';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { type AnsweringServer, startAnsweringServer } from '../support/answering-server.ts';
import { createCreator } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';

const [byPyth, byJupiter, byHand] = SEED_PAIRS.map(({ mint }) => mint.toBase58());
const FEED = 'ab'.repeat(32);

let hermes: AnsweringServer;
let jupiter: AnsweringServer;
let platform: Platform;

/** A feed as Hermes answers it: a quarter of a dollar, with so wide an interval, so old. */
function feed({ id = FEED, conf = '25000', ageSeconds = 1 } = {}): AnsweringServer['answer'] {
  const publish_time = Math.floor(Date.now() / 1000) - ageSeconds;
  const price = { price: '25000000', conf, expo: -8, publish_time };
  return { status: 200, body: JSON.stringify({ parsed: [{ id, price, ema_price: price }] }) };
}

/** The same beside SOL at 150 dollars. */
function feeds(): AnsweringServer['answer'] {
  const publish_time = Math.floor(Date.now() / 1000) - 1;
  const priceOf = (id: string, price: string) => ({ id, price: { price, conf: '25000', expo: -8, publish_time } });
  const parsed = [priceOf(FEED, '25000000'), priceOf(PYTH_SOL_USD, '15000000000')];
  return { status: 200, body: JSON.stringify({ parsed }) };
}

function jupiterPrice(blockId: number): AnsweringServer['answer'] {
  return { status: 200, body: `{"${byJupiter ?? ''}":{"usdPrice":0.125,"blockId":${blockId},"decimals":6}}` };
}

const priceBy = (mint: string, priceSource: 'pyth' | 'jupiter', priceSourceId: string) =>
  platform.db.updateTable('pairs').set({ priceSource, priceSourceId }).where('mint', '=', mint).execute();

beforeAll(async () => {
  [hermes, jupiter] = await Promise.all([startAnsweringServer(), startAnsweringServer()]);
  platform = await startPlatform({
    variables: { PRICE_SOURCE: 'pyth', PYTH_URL: hermes.url, JUPITER_URL: jupiter.url, JUPITER_API_KEY: 'key' },
  });
  await priceBy(byPyth ?? '', 'pyth', FEED);
  await priceBy(byJupiter ?? '', 'jupiter', byJupiter ?? '');
});
afterAll(async () => {
  await platform.close();
  await Promise.all([hermes.close(), jupiter.close()]);
});
beforeEach(() => {
  hermes.answer = feed();
});

/** What the source said, and where it is, is for the log. */
const NOT_GIVEN = /pyth does not give it/;

/** A price, or that there is none, is kept for seconds and asked for anew then: waits for a refusal for this reason. */
async function refusedFor(reason: RegExp, changes: object) {
  const creator = await createCreator(platform);
  const ask = async () => {
    const answer = await creator.tryPrepare(changes).catch(() => null);
    return reason.test(answer?.error?.message ?? '') ? answer : null;
  };
  return eventually(ask, `a refusal for ${reason.source}`);
}

/** Replaces what the platform has seen of a token: this price, for an hour. */
async function seen(mint: string, usd: string | null): Promise<void> {
  await platform.db.deleteFrom('priceObservations').where('mint', '=', mint).execute();
  if (usd === null) return;
  const moments = Array.from({ length: 12 }, (_, index) => 12 + 5 * index).map(
    (minutesAgo) => new Date(Date.now() - minutesAgo * 60_000),
  );
  await prices.record(
    platform.db,
    moments.map((observedAt) => ({ mint, usd, source: 'pyth', observedAt })),
  );
}

const prepare = async (changes: object) => (await createCreator(platform)).tryPrepare(changes);

describe('prepare on live prices', () => {
  it('opens a pool at the price that Pyth gives its pair, and the launch completes', async () => {
    const { answer, prepared } = await (await createCreator(platform)).launchToEnd({ quoteMint: byPyth });
    expect(answer).toMatchObject({ http: 200, data: { status: 'completed' } });
    const { terms } = await platform.db
      .selectFrom('launches')
      .select('terms')
      .where('quoteId', '=', prepared.quoteId)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(terms)).toContain('"quotePriceUsd":"0.25"');
  });

  it('takes a pair of Jupiter by the slot of its price', async () => {
    const slot = await platform.connection.getSlot('processed');
    jupiter.answer = jupiterPrice(slot);
    const { payment } = await (await createCreator(platform)).prepare({ quoteMint: byJupiter });
    expect(payment.lamports).toBeGreaterThan(0);
    expect(jupiter.requests.at(-1)?.headers['x-api-key']).toBe('key');
  });

  it.each<[string, () => AnsweringServer['answer'], RegExp]>([
    ['old', () => feed({ ageSeconds: 120 }), /is 12\d{4} ms old, at most 60000 ms are allowed/],
    ['uncertain', () => feed({ conf: '500000' }), /uncertain by 200 bps, at most 100 bps/],
  ])('answers 503 when the price is %s', async (_what, answer, message) => {
    hermes.answer = answer();
    const refused = await refusedFor(message, { quoteMint: byPyth });
    expect(refused).toMatchObject({ http: 503, error: { code: 'service_unavailable', retryAfterSeconds: 5 } });
  });

  // The last price of a feed is remembered, so each of these is a feed that never had one.
  it.each<[string, string, () => AnsweringServer['answer']]>([
    ['of another feed', 'c1', () => feed()],
    ['missing', 'c2', () => ({ status: 404, body: 'Price ids not found' })],
    ['unreadable', 'c3', () => ({ status: 200, body: '{"parsed":"soon"}' })],
  ])('answers 503 when the price is %s', async (_what, byte, answer) => {
    hermes.answer = answer();
    await priceBy(byPyth ?? '', 'pyth', byte.repeat(32));
    const refused = await refusedFor(NOT_GIVEN, { quoteMint: byPyth });
    await priceBy(byPyth ?? '', 'pyth', FEED);
    expect(refused).toMatchObject({ http: 503, error: { code: 'service_unavailable', retryAfterSeconds: 5 } });
  });

  it('never takes a price set by hand', async () => {
    const refused = await prepare({ quoteMint: byHand });
    expect(refused).toMatchObject({
      http: 503,
      error: { message: expect.stringContaining('source fixed is not set up') as string },
    });
  });

  it('asks Pyth for SOL where a dev buy needs its price', async () => {
    await seen(byPyth ?? '', '0.25');
    // The server knows one feed, and it is not that of SOL.
    const reason = new RegExp(`no fresh price for ${NATIVE_MINT.toBase58()}: pyth does not give it`);
    expect(await refusedFor(reason, { quoteMint: byPyth, devBuyPercent: 1 })).toMatchObject({ http: 503 });
  });
});

describe('a dev buy on live prices', () => {
  const SOL = NATIVE_MINT.toBase58();
  const wish = { quoteMint: byPyth, devBuyPercent: 1 };
  const NOT_STEADY = /^dev buys with \w+ are not possible while its price, or that of SOL, is not steady/;
  beforeAll(async () => {
    hermes.answer = feeds();
    // A source that did not give a price is left alone for seconds.
    const isGiven = async () => {
      const answer = await prepare(wish).catch(() => null);
      return !NOT_GIVEN.test(answer?.error?.message ?? '') || null;
    };
    await eventually(isGiven, 'a price of SOL');
  });
  beforeEach(async () => {
    hermes.answer = feeds();
    await seen(SOL, '150');
    await seen(byPyth ?? '', '0.25');
  });

  /** Lamports that the dev buy costs. */
  async function cost(): Promise<number> {
    const creator = await createCreator(platform);
    const [withIt, without] = [await creator.prepare(wish), await creator.prepare({ quoteMint: byPyth })];
    return withIt.payment.lamports - without.payment.lamports;
  }

  it('is refused alone while a price was not seen for long enough, or lies far from what was seen', async () => {
    for (const unsteady of [null, '2.5', '0.025']) {
      await seen(byPyth ?? '', unsteady);
      const refused = await prepare(wish);
      expect(refused).toMatchObject({ http: 503, error: { code: 'service_unavailable', retryable: true } });
      expect(refused.error?.message).toMatch(NOT_STEADY);
      await expect((await createCreator(platform)).prepare({ quoteMint: byPyth })).resolves.toBeDefined();
    }
    await seen(byPyth ?? '', '0.25');
    await seen(SOL, '250');
    expect((await prepare(wish)).error?.message).toMatch(NOT_STEADY);
  });

  it('costs by the dearer of present price and median, in SOL by the cheaper', async () => {
    const usual = await cost();
    await seen(byPyth ?? '', '0.29');
    expect((await cost()) / usual).toBeCloseTo(0.29 / 0.25, 6);
    await seen(byPyth ?? '', '0.22');
    expect((await cost()) / usual).toBeCloseTo(1, 6);
    await seen(SOL, '125');
    expect((await cost()) / usual).toBeCloseTo(150 / 125, 6);
  });

  it('is signed by no worker that finds it too cheap, or has no steady price', async () => {
    const whileSeen = async (usd: string) => {
      const creator = await createCreator(platform);
      const prepared = await creator.prepare(wish);
      await seen(byPyth ?? '', usd);
      const answer = await creator.submit(creator.sign(prepared));
      expect(answer).toMatchObject({ http: 503, charged: false });
      await seen(byPyth ?? '', '0.25');
      return answer.error?.message;
    };
    expect(await whileSeen('0.29')).toMatch(/a dev buy was proposed for \d+ lamports and costs \d+ now/);
    expect(await whileSeen('2.5')).toContain('is not steady');
  });
});
