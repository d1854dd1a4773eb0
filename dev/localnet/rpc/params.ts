import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { fromBase58 } from '../encoding/base58.ts';
import type { Address } from '../ledger/account.ts';
import { invalidParams } from './rpc-error.ts';

export type Params = readonly unknown[];

const CommitmentSchema = Type.Enum([
  'processed',
  'confirmed',
  'finalized',
  'recent',
  'single',
  'singleGossip',
  'root',
  'max',
]);

export type Commitment = 'processed' | 'confirmed' | 'finalized';

export const ContextFields = {
  commitment: Type.Optional(Type.Union([CommitmentSchema, Type.Null()])),
  minContextSlot: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])),
};

export const DataSliceSchema = Type.Object({
  offset: Type.Integer({ minimum: 0 }),
  length: Type.Integer({ minimum: 0 }),
});

export const EncodingSchema = Type.Enum(['binary', 'base58', 'base64', 'base64+zstd', 'jsonParsed']);

export const AccountFields = {
  ...ContextFields,
  encoding: Type.Optional(Type.Union([EncodingSchema, Type.Null()])),
  dataSlice: Type.Optional(Type.Union([DataSliceSchema, Type.Null()])),
};

const LEGACY_COMMITMENTS: Record<string, Commitment> = {
  recent: 'processed',
  single: 'confirmed',
  singleGossip: 'confirmed',
  root: 'finalized',
  max: 'finalized',
};

/** Maps legacy names; default finalized. */
export function commitmentOf(name: string | null | undefined, fallback: Commitment = 'finalized'): Commitment {
  if (name === undefined || name === null) return fallback;
  if (name === 'processed' || name === 'confirmed' || name === 'finalized') return name;
  return LEGACY_COMMITMENTS[name] ?? fallback;
}

function bytesOf(text: string): Uint8Array {
  try {
    return fromBase58(text);
  } catch {
    throw invalidParams('Invalid param: Invalid');
  }
}

function base58Param(params: Params, index: number, length: number): string {
  const value = params[index];
  if (typeof value !== 'string') throw invalidParams(`Invalid params: parameter ${index} must be a base58 string`);
  if (value.length > length * 2 || bytesOf(value).length !== length) throw invalidParams('Invalid param: WrongSize');
  return value;
}

/** @throws RpcError -32602 unless base58 of 32 bytes */
export function addressParam(params: Params, index: number): Address {
  return base58Param(params, index, 32);
}

/** @throws RpcError -32602 unless base58 of 64 bytes */
export function signatureParam(params: Params, index: number): string {
  return base58Param(params, index, 64);
}

export interface ParamSchema<T> {
  Check(value: unknown): value is T;
  Errors(value: unknown): { readonly instancePath: string; readonly message: string }[];
}

/** @throws RpcError -32602 that names the first violation */
export function param<T>(params: Params, index: number, schema: ParamSchema<T>): T {
  const value = params[index];
  if (schema.Check(value)) return value;
  const [first] = schema.Errors(value);
  const where = first ? `${first.instancePath || `parameter ${index}`} ${first.message}` : `parameter ${index}`;
  throw invalidParams(`Invalid params: ${where}`);
}

/** Default: empty. */
export function config<T>(params: Params, index: number, schema: ParamSchema<T>): T {
  return param([params[index] ?? {}], 0, schema);
}

export const ContextConfig = Compile(Type.Object(ContextFields));
export const AccountConfig = Compile(Type.Object(AccountFields));
export const SlotParam = Compile(Type.Integer({ minimum: 0 }));
