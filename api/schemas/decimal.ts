import { BigNumber } from 'bignumber.js';
import Type, { type TRefine, type TSchema, type TUnsafe } from 'typebox';

export interface DecimalOptions {
  readonly minimum?: number;
  readonly maximum: number;
  readonly description: string;
}

/** Digits before and after the point; JSON writers emit at most 17 after the zeros. */
const PLAIN = /^[-+]?(?:\d{1,30}(?:\.\d{0,40})?|\.\d{1,40})$/;

/**
 * The document says number; text is accepted. The handler gets a plain decimal string, so that no amount passes a
 * float: `0.25` and `"0.25"` give `'0.25'`.
 */
export function decimal<Options extends DecimalOptions>(options: Options): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'number', 'x-decimal': true, ...options });
}

/** Reads a decimal without trailing zeros; undefined for anything else. */
export function readDecimal(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? new BigNumber(value).toFixed() : undefined;
  return typeof value === 'string' && PLAIN.test(value) ? new BigNumber(value).toFixed() : undefined;
}

export function decimalCheck({ minimum, maximum }: { minimum?: number; maximum?: number }): TRefine<TSchema> {
  const problemOf = (value: unknown): string | undefined => {
    const text = typeof value === 'string' ? readDecimal(value) : undefined;
    if (text === undefined) return 'must be a number, written in plain decimals with a point, such as 0.25';
    if (minimum !== undefined && new BigNumber(text).lt(minimum)) return `must be at least ${minimum}`;
    return maximum !== undefined && new BigNumber(text).gt(maximum) ? `must be at most ${maximum}` : undefined;
  };
  return Type.Refine(
    Type.Unknown(),
    (value) => problemOf(value) === undefined,
    (value) => problemOf(value) ?? '',
  );
}
