import { BigNumber } from 'bignumber.js';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { parseExactJson } from './exact-json.ts';
import { getText } from './get-text.ts';
import type { PriceReader } from './price-source.ts';

/** Address and token of Pyth's Hermes server, which wants an access token since August 2026. */
export interface PythOptions {
  /** No trailing slash. */
  readonly url: string;
  readonly accessToken?: string;
}

/** Response with numbers as text; price and confidence are scaled by 10^expo. */
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

/** Calls `GET /v2/updates/price/latest`, by feed id. */
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

/** Share in bps, rounded up. Prices of zero or less are refused later: for them it returns a large share. */
function shareInBps(confidence: bigint, price: bigint): number {
  if (price <= 0n) return 10_000;
  return Number((confidence * 10_000n + price - 1n) / price);
}
