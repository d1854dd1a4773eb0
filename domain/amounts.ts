declare const unit: unique symbol;

/** 1 SOL = 1,000,000,000. */
export type Lamports = bigint & { readonly [unit]: 'lamports' };

export const SOL_DECIMALS = 9;

/** @throws RangeError below 0 */
export function lamports(value: bigint): Lamports {
  if (value < 0n) throw new RangeError(`an amount of lamports cannot be negative, got ${value}`);
  return value as Lamports;
}

/** Formats whole units without trailing zeros: `formatUnits(1_500_000_000n, 9) === '1.5'`. */
export function formatUnits(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`;
}

/**
 * Parses a plain non-negative decimal.
 * @throws RangeError for another format or too many digits
 */
export function parseUnits(text: string, decimals: number): bigint {
  const match = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text);
  const fraction = match?.[2] ?? '';
  if (!match || fraction.length > decimals) {
    throw new RangeError(`"${text}" is not a decimal number with at most ${decimals} fraction digits`);
  }
  return BigInt(`${match[1]}${fraction.padEnd(decimals, '0')}`);
}

/** @example solText(290_000_000n) // '0.29 SOL' */
export function solText(value: bigint): string {
  return `${formatUnits(value, SOL_DECIMALS)} SOL`;
}
