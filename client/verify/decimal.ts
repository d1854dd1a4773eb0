/** An exact decimal at or above zero: `units / 10 ** digits`. */
export interface Decimal {
  readonly units: bigint;
  readonly digits: number;
}

const FORM = /^(\d+)(?:\.(\d+))?$/;

/** Null where the text is no decimal. */
export function decimalOf(text: string): Decimal | null {
  const [, whole, fraction = ''] = FORM.exec(text) ?? [];
  return whole === undefined ? null : { units: BigInt(whole + fraction), digits: fraction.length };
}

/** Rounds half up to so many fraction digits. */
export function roundedTo(digits: number, { units, digits: own }: Decimal): Decimal {
  if (own <= digits) return { units: units * 10n ** BigInt(digits - own), digits };
  const by = 10n ** BigInt(own - digits);
  return { units: (2n * units + by) / (2n * by), digits };
}

export function product(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, digits: a.digits + b.digits };
}

/** Divides by a decimal above zero and rounds half up to so many fraction digits. */
export function quotient(a: Decimal, b: Decimal, digits: number): Decimal {
  const above = a.units * 10n ** BigInt(b.digits + digits);
  const below = b.units * 10n ** BigInt(a.digits);
  return { units: (2n * above + below) / (2n * below), digits };
}

/** Rounds up to a whole number. */
export function ceiling({ units, digits }: Decimal): bigint {
  const one = 10n ** BigInt(digits);
  return (units + one - 1n) / one;
}
