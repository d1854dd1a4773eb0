import type { TSchema } from 'typebox';
import { readDecimal } from '../schemas/decimal.ts';
import { readIsoTime } from '../schemas/iso-time.ts';

export type RequestPart = 'params' | 'querystring' | 'body';

/**
 * Drops empty ones: null, empty text, a zero that means nothing. Accepts numbers and booleans as text, and any ISO
 * 8601 time. Ambiguous values fail validation, as do unknown body fields; unknown query fields are dropped.
 */
export function readValues(schema: TSchema, part: RequestPart, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input) || !('properties' in schema)) return input;
  const properties = schema.properties as Record<string, ValueSchema | undefined>;
  const required = 'required' in schema && Array.isArray(schema.required) ? schema.required : [];
  const read = Object.entries(input).flatMap(([name, value]: [string, unknown]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!property) return part === 'body' ? [[name, value] as const] : [];
    const mustBeThere = required.includes(name) && property.default === undefined;
    if (isAbsent(property, part, value, mustBeThere)) return [];
    return [[name, readValue(property, value)] as const];
  });
  return Object.fromEntries(read);
}

export interface ValueSchema extends TSchema {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly 'x-clamped'?: boolean;
  readonly 'x-decimal'?: boolean;
  readonly 'x-absent-at-zero'?: boolean;
  readonly 'x-default-when-unknown'?: boolean;
}

/** "No value". Empty required text in a body counts as present, and is rejected. */
function isAbsent(schema: ValueSchema, part: RequestPart, value: unknown, mustBeThere: boolean): boolean {
  if (part === 'params') return false;
  if (value === null) return part === 'body';
  if (isBlank(value)) return part === 'querystring' || !mustBeThere;
  if (schema['x-absent-at-zero'] === true && readDecimal(trimmed(value)) === '0') return true;
  // A repeated one is a list, which is refused.
  const isWord = typeof value === 'string';
  return schema['x-default-when-unknown'] === true && isWord && schema.enum?.includes(trimmed(value)) === false;
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && /^[ \t\r\n]*$/.test(value);
}

/** A NUL stays, to be rejected. */
function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '') : value;
}

function readValue(schema: ValueSchema, value: unknown): unknown {
  if (schema['x-decimal'] === true) return readDecimal(trimmed(value)) ?? value;
  if (typeof value !== 'string') return schema.type === 'boolean' && (value === 1 || value === 0) ? value === 1 : value;
  const text = value.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
  switch (schema.type) {
    case 'boolean':
      return readBoolean(text) ?? value;
    case 'integer':
      return readInteger(schema, text) ?? value;
    case 'number':
      return readNumber(text) ?? value;
    default:
      return readText(schema, value, text);
  }
}

/** Lower case. */
const [TRUE, FALSE] = [new Set(['true', 't', '1', 'yes', 'y', 'on']), new Set(['false', 'f', '0', 'no', 'n', 'off'])];

function readBoolean(text: string): boolean | undefined {
  const word = text.toLowerCase();
  return TRUE.has(word) ? true : FALSE.has(word) ? false : undefined;
}

/** Plain decimals, as money is written. */
function readNumber(text: string): number | undefined {
  const decimal = readDecimal(text);
  return decimal === undefined ? undefined : Number(decimal);
}

/** Accepts `25` or `25.0`; with `x-clamped` the nearest allowed one. */
function readInteger(schema: ValueSchema, text: string): number | undefined {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (schema['x-clamped'] === true) {
    return /^[-+]?\d{1,1000}(\.0*)?$/.test(text) ? Math.min(maximum, Math.max(minimum, Number(text))) : undefined;
  }
  return /^[-+]?\d{1,15}(\.0*)?$/.test(text) ? Number(text) : undefined;
}

/** Times become UTC. Addresses and enum words lose white space; free text stays. */
function readText(schema: ValueSchema, value: string, text: string): string {
  if (schema.format === 'date-time') {
    const reading = readIsoTime(text);
    return 'iso' in reading ? clampTime(reading.iso) : value;
  }
  return schema.pattern !== undefined || schema.enum !== undefined ? text : value;
}

/** All records are within it: clamping changes no comparison. The database cannot compute with every ISO 8601 time. */
const EARLIEST_MS = Date.UTC(1970, 0, 1);
const LATEST_MS = Date.UTC(2200, 0, 1);

function clampTime(iso: string): string {
  return new Date(Math.min(LATEST_MS, Math.max(EARLIEST_MS, Date.parse(iso)))).toISOString();
}
