declare const unit: unique symbol;

/** SOL in its smallest unit, 1 SOL = 1,000,000,000 lamports: the type checker keeps it apart from other bigints. */
export type Lamports = bigint & { readonly [unit]: 'lamports' };

/** A SOL has so many fraction digits. */
export const SOL_DECIMALS = 9;

/** Marks a non-negative bigint as lamports. Throws a RangeError on a negative value. */
export function lamports(value: bigint): Lamports {
  if (value < 0n) throw new RangeError(`an amount of lamports cannot be negative, got ${value}`);
  return value as Lamports;
}

/**
 * Formats an amount in its smallest unit as a plain decimal string in whole units, without trailing zeros:
 * `formatUnits(1_500_000_000n, 9) === '1.5'`.
 */
export function formatUnits(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`;
}

/**
 * Parses a plain non-negative decimal string in whole units into the smallest unit.
 * Throws a RangeError on another format or on more fraction digits than the unit has.
 */
export function parseUnits(text: string, decimals: number): bigint {
  const match = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text);
  const fraction = match?.[2] ?? '';
  if (!match || fraction.length > decimals) {
    throw new RangeError(`"${text}" is not a decimal number with at most ${decimals} fraction digits`);
  }
  return BigInt(`${match[1]}${fraction.padEnd(decimals, '0')}`);
}
