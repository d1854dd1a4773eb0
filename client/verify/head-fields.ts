/** Fields of a document's head; each throws a DocumentError for another form. */

import { isRecord } from '../http/shape.ts';
import { DocumentError } from '../proof/lines.ts';
import type { Hash } from '../proof/merkle-tree.ts';
import { isAddress } from '../solana/bytes.ts';
import { type Decimal, decimalOf } from './decimal.ts';

/** Hex. */
export function rootOf(root: Hash): string {
  return [...root].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function amountOf(value: unknown, what: string): bigint {
  if (typeof value === 'string' && /^-?\d+$/.test(value)) return BigInt(value);
  throw new DocumentError(`${what} is ${JSON.stringify(value)}, and not an amount`);
}

export type Fields = Readonly<Record<string, unknown>>;

export function textIn(fields: Fields, field: string): string {
  const value = fields[field];
  if (typeof value === 'string') return value;
  throw new DocumentError(`${field} is ${JSON.stringify(value)}, and not text`);
}

export function addressIn(fields: Fields, field: string): string {
  const value = textIn(fields, field);
  if (isAddress(value)) return value;
  throw new DocumentError(`${field} is "${value}", which is no address`);
}

export function rootIn(fields: Fields, field: string): string {
  const value = textIn(fields, field);
  if (/^[0-9a-f]{64}$/.test(value)) return value;
  throw new DocumentError(`${field} is "${value}", which is no root`);
}

/** An exact decimal at or above zero. */
export function decimalIn(fields: Fields, field: string): Decimal {
  const text = textIn(fields, field);
  const value = decimalOf(text);
  if (value) return value;
  throw new DocumentError(`${field} is "${text}", and no decimal`);
}

/** A decimal that others are divided by. */
export function priceIn(fields: Fields, field: string): Decimal {
  const value = decimalIn(fields, field);
  if (value.units > 0n) return value;
  throw new DocumentError(`${field} is zero, and no price`);
}

export function recordIn(fields: Fields, field: string): Fields {
  const value = fields[field];
  if (isRecord(value)) return value;
  throw new DocumentError(`${field} is no object`);
}

export function wholeIn(fields: Fields, field: string): number {
  const value = fields[field];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new DocumentError(`${field} is ${JSON.stringify(value)}, and not a whole number`);
}

export function recordsIn(fields: Fields, field: string): Fields[] {
  const value = fields[field];
  if (Array.isArray(value) && value.every(isRecord)) return value;
  throw new DocumentError(`${field} is no list of objects`);
}

export function wholesIn(fields: Fields, field: string): number[] {
  const value = fields[field];
  if (Array.isArray(value) && value.every((one) => Number.isSafeInteger(one))) return value.map(Number);
  throw new DocumentError(`${field} is ${JSON.stringify(value)}, and no list of whole numbers`);
}
