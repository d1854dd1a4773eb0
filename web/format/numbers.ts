// No `Intl`: its first use takes a phone a tenth of a second.

const SHORTENED = ['', 'K', 'M', 'B', 'T'] as const;
const THOUSAND = 1_000;
const SHOWN_DIGITS = 4;
const MOST_FRACTION_DIGITS = 20;

export function significant(value: number, digits: number): string {
  const rounded = Number(value.toPrecision(digits));
  if (rounded === 0 || Math.abs(rounded) >= 1) return String(rounded);
  const leading = Math.floor(Math.log10(Math.abs(rounded)));
  return rounded.toFixed(Math.min(MOST_FRACTION_DIGITS, digits - 1 - leading)).replace(/\.?0+$/, '');
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

export const UNKNOWN = '–';

export function number(value: number | null | undefined): string {
  if (value === null || value === undefined) return UNKNOWN;
  let [shown, size] = [Number(value.toPrecision(SHOWN_DIGITS)), 0];
  for (; Math.abs(shown) >= THOUSAND && size < SHORTENED.length - 1; size++) {
    shown = Number((value / THOUSAND ** (size + 1)).toPrecision(SHOWN_DIGITS));
  }
  return significant(shown, SHOWN_DIGITS) + SHORTENED[size];
}

export function usd(value: number | null | undefined): string {
  return value === null || value === undefined ? UNKNOWN : `$${number(value)}`;
}

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? UNKNOWN : grouped(String(Math.round(value)));
}

/** As 18.7MB. */
export function byteSize(bytes: number): string {
  return `${number(bytes)}B`;
}

/** @param what a noun whose plural ends in s */
export function counted(value: number, what: string): string {
  return `${count(value)} ${what}${value === 1 ? '' : 's'}`;
}

export function percent(value: number, digits = 1): string {
  return `${value.toFixed(digits)} %`;
}

export function change(value: number | undefined): string {
  return value === undefined ? UNKNOWN : `${value > 0 ? '+' : ''}${value.toFixed(Math.abs(value) < 10 ? 2 : 1)} %`;
}

export const LAMPORTS_PER_SOL = 1_000_000_000n;

export function sol(lamports: number | bigint): string {
  const value = BigInt(lamports);
  const fraction = (value % LAMPORTS_PER_SOL).toString().padStart(9, '0').replace(/0+$/, '');
  return `${grouped(String(value / LAMPORTS_PER_SOL))}${fraction === '' ? '' : `.${fraction}`} SOL`;
}
