const EXACT_BELOW = 1_000;

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 4 });
const plain = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** What stands where nothing is known. */
export const UNKNOWN = '–';

/** A number for people: four digits that count, thousands and more shortened. */
export function number(value: number | null | undefined): string {
  if (value === null || value === undefined) return UNKNOWN;
  return Math.abs(value) < EXACT_BELOW ? plain.format(value) : compact.format(value);
}

/** USD for people. */
export function usd(value: number | null | undefined): string {
  return value === null || value === undefined ? UNKNOWN : `$${number(value)}`;
}

/** A count, every digit of it. */
export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? UNKNOWN : whole.format(value);
}

/** So many of something whose plural ends in s. */
export function counted(value: number, what: string): string {
  return `${count(value)} ${what}${value === 1 ? '' : 's'}`;
}

/** Percent, as 12.3 for 12.3 %. */
export function percent(value: number, digits = 1): string {
  return `${value.toFixed(digits)} %`;
}

/** Change in percent with its sign. */
export function change(value: number | undefined): string {
  return value === undefined ? UNKNOWN : `${value > 0 ? '+' : ''}${value.toFixed(Math.abs(value) < 10 ? 2 : 1)} %`;
}

const LAMPORTS_PER_SOL = 1_000_000_000n;

/** Lamports as SOL, exactly. */
export function sol(lamports: number | bigint): string {
  const value = BigInt(lamports);
  const fraction = (value % LAMPORTS_PER_SOL).toString().padStart(9, '0').replace(/0+$/, '');
  return `${(value / LAMPORTS_PER_SOL).toLocaleString('en-US')}${fraction === '' ? '' : `.${fraction}`} SOL`;
}
