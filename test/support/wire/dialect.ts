import type { TSchema } from 'typebox';
import { Errors } from 'typebox/value';
import { expect } from 'vitest';
import { formatUnits } from '../../../domain/amounts.ts';

/** The whole of an answer that does not fit what a program of the field reads, or else nothing. */
export function expectShape(schema: TSchema, value: unknown): void {
  const problems = Errors(schema, value).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  expect(problems).toEqual([]);
}

/** A field of an answer, and the object that it stands in. */
interface Field {
  readonly at: string;
  readonly name: string;
  readonly value: unknown;
  readonly owner: Readonly<Record<string, unknown>>;
}

/** Every field of an answer, however deep. */
function fieldsOf(value: unknown, at = ''): Field[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => fieldsOf(item, `${at}/${index}`));
  if (typeof value !== 'object' || value === null) return [];
  const owner = { ...value };
  return Object.entries(owner).flatMap(([name, inner]) => [
    { at: `${at}/${name}`, name, value: inner, owner },
    ...fieldsOf(inner, `${at}/${name}`),
  ]);
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** What breaks the habits that every answer has: figures are numbers, exact amounts are texts called `…Raw`, times are called `…At`. */
export function breachesOf(answer: unknown): string[] {
  return fieldsOf(answer).flatMap((field) => {
    const breach = breachOf(field);
    return breach === null ? [] : [`${field.at} ${breach}: ${JSON.stringify(field.value)}`];
  });
}

function breachOf({ name, value, owner }: Field): string | null {
  if (name.endsWith('Raw'))
    return isExactTwin(name, value, owner) ? null : 'is no exact amount with a number beside it';
  if (/(Usd|Tokens|Percent|Count|24h|24hUsd)$/.test(name) && typeof value === 'string') return 'is not a number';
  if (typeof value === 'string' && /^-?\d+\.?\d*$/.test(value)) return 'is a number in a text';
  if (typeof value === 'number' && !Number.isFinite(value)) return 'is no finite number';
  if (name.endsWith('At') && value !== null && !isMoment(value)) return 'is no moment';
  return null;
}

function isMoment(value: unknown): boolean {
  return typeof value === 'string' && MOMENT.test(value);
}

const MOST_DECIMALS = 18;

/** Whether a raw amount is a whole number, and the number of tokens beside it is what it means, to the last digit that it can hold. */
function isExactTwin(name: string, value: unknown, owner: Field['owner']): boolean {
  if (typeof value !== 'string' || !/^\d+$/.test(value)) return false;
  const stem = name.slice(0, -'Raw'.length);
  const tokens = owner[`${stem}Tokens`] ?? owner[stem];
  if (tokens === null || tokens === undefined) return tokens === null;
  const powers = Array.from({ length: MOST_DECIMALS + 1 }, (_, decimals) => decimals);
  return powers.some((decimals) => Number(formatUnits(BigInt(value), decimals)) === tokens);
}
