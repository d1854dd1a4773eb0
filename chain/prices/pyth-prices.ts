import { BigNumber } from 'bignumber.js';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { parseExactJson } from './exact-json.ts';
import { getText } from './get-text.ts';
import type { PriceReader } from './price-source.ts';

/** A Hermes server. Since August 2026 Pyth's own asks for an access token. */
export interface PythOptions {
  /** For instance `https://hermes.pyth.network`, without a trailing slash. */
  readonly url: string;
  readonly accessToken?: string;
}

/** Numbers are texts here, see parseExactJson. Price and confidence are integers to be scaled by 10^expo. */
const LatestSchema = Compile(
  Type.Object({
    parsed: Type.Array(
      Type.Object({
        id: Type.String(),
        price: Type.Object({
          price: Type.String({ pattern: '^-?\\d{1,20}$' }),
          conf: Type.String({ pattern: '^\\d{1,20}$' }),
          expo: Type.String({ pattern: '^-?\\d{1,2}$' }),
          publish_time: Type.String({ pattern: '^\\d{1,11}$' }),
        }),
      }),
    ),
  }),
);

const FEED_ID = /^(0x)?[0-9a-f]{64}$/;

/** Reads prices from Pyth by feed id (`GET /v2/updates/price/latest` of the Hermes API). */
export function pythPriceReader({ url, accessToken }: PythOptions): PriceReader {
  const headers: Record<string, string> = accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` };
  return async (id) => {
    if (!FEED_ID.test(id)) throw new RangeError(`"${id}" is not a Pyth feed id (64 hexadecimal digits)`);
    const address = new URL(`${url}/v2/updates/price/latest`);
    address.search = new URLSearchParams({ 'ids[]': id, parsed: 'true' }).toString();
    const answer = parseExactJson(await getText(address, headers));
    if (!LatestSchema.Check(answer)) throw new Error(`${address.host} answered in an unknown form`);
    const feed = answer.parsed.find((entry) => entry.id === id.replace(/^0x/, ''));
    if (feed === undefined) throw new Error(`${address.host} has no price of feed ${id}`);
    const { price, conf, expo, publish_time: seconds } = feed.price;
    return {
      usd: new BigNumber(price).shiftedBy(Number(expo)).toFixed(),
      observedAt: new Date(Number(seconds) * 1_000),
      confidenceBps: shareInBps(BigInt(conf), BigInt(price)),
    };
  };
}

/** Confidence over price in bps, rounded up; a price of zero or less is refused later, so any large share will do. */
function shareInBps(confidence: bigint, price: bigint): number {
  if (price <= 0n) return 10_000;
  return Number((confidence * 10_000n + price - 1n) / price);
}
