import { number } from './numbers.ts';

/** Every digit of an amount in smallest units. */
export function exactTokens(raw: bigint, decimals: number): string {
  const digits = String(raw < 0n ? -raw : raw).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${raw < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Rounded, to be looked at. */
export function roundedTokens(raw: bigint, decimals: number): string {
  return number(Number(exactTokens(raw, decimals)));
}
