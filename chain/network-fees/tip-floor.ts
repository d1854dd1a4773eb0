import { BigNumber } from 'bignumber.js';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { parseExactJson } from '../prices/exact-json.ts';
import { getText } from '../prices/get-text.ts';

export const TIP_PERCENTILES = ['25', '50', '75', '95', '99'] as const;

export type TipPercentile = (typeof TIP_PERCENTILES)[number];

const LAMPORTS_DECIMALS = 9;
const Sol = Type.String({ pattern: '^[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?$', maxLength: 40 });

/**
 * `GET /api/v1/bundles/tip_floor`, in SOL as text.
 *
 * @see https://docs.jito.wtf/lowlatencytxnsend/#get-tip-information
 */
const TipFloor = Compile(
  Type.Tuple([
    Type.Object({
      landed_tips_25th_percentile: Sol,
      landed_tips_50th_percentile: Sol,
      landed_tips_75th_percentile: Sol,
      landed_tips_95th_percentile: Sol,
      landed_tips_99th_percentile: Sol,
    }),
  ]),
);

/** Reads the floor of recently landed tips, lamports up. Throws if the service fails. */
export async function readTipFloor(url: string, percentile: TipPercentile): Promise<bigint> {
  const body = parseExactJson(await getText(new URL(url), {}));
  const newest: unknown = Array.isArray(body) ? body.slice(0, 1) : body;
  if (!TipFloor.Check(newest)) throw new Error(`${new URL(url).host} answered no tip floor`);
  const sol = newest[0][`landed_tips_${percentile}th_percentile`];
  return BigInt(new BigNumber(sol).shiftedBy(LAMPORTS_DECIMALS).integerValue(BigNumber.ROUND_CEIL).toFixed(0));
}
