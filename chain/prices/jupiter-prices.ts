import { BigNumber } from 'bignumber.js';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { parseExactJson } from './exact-json.ts';
import { getText } from './get-text.ts';
import type { PriceReader } from './price-source.ts';

export interface JupiterOptions {
  /** No trailing slash. */
  readonly url: string;
  readonly apiKey?: string;
  /** Jupiter dates a price by its last swap's slot. */
  readonly currentSlot: () => Promise<number>;
  readonly now: () => Date;
}

/** Expected. */
const SLOT_MS = 400;

const PriceSchema = Compile(
  Type.Record(
    Type.String(),
    Type.Union([
      Type.Null(),
      Type.Object({ usdPrice: Type.String(), blockId: Type.String({ pattern: '^\\d{1,15}$' }) }),
    ]),
  ),
);

/**
 * Calls `GET /price/v3`, by mint. It gives no confidence interval: only age limits the price; pairs that need more use
 * Pyth.
 */
export function jupiterPriceReader(options: JupiterOptions): PriceReader {
  const headers: Record<string, string> = options.apiKey === undefined ? {} : { 'x-api-key': options.apiKey };
  return async (mint) => {
    const address = new URL(`${options.url}/price/v3`);
    address.search = new URLSearchParams({ ids: mint }).toString();
    const [text, currentSlot] = await Promise.all([getText(address, headers), options.currentSlot()]);
    const answer = parseExactJson(text);
    if (!PriceSchema.Check(answer)) throw new Error(`${address.host} answered in an unknown form`);
    const price = answer[mint];
    if (!price) throw new Error(`${address.host} has no price of ${mint}`);
    const ageMs = Math.max(0, currentSlot - Number(price.blockId)) * SLOT_MS;
    return {
      usd: new BigNumber(price.usdPrice).toFixed(),
      observedAt: new Date(options.now().getTime() - ageMs),
    };
  };
}
