import { Type } from 'typebox';
import type { TransactionEncoding, TransactionFormat } from '../encoding/transaction-encoding.ts';
import { ContextFields } from './params.ts';
import { invalidParams } from './rpc-error.ts';

const ENCODINGS: readonly TransactionEncoding[] = ['binary', 'base58', 'base64', 'json', 'jsonParsed'];

export const TransactionFields = {
  ...ContextFields,
  encoding: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  maxSupportedTransactionVersion: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 255 }), Type.Null()])),
};

export type TransactionRequest =
  | string
  | { readonly encoding?: string | null; readonly maxSupportedTransactionVersion?: number | null };

/** @throws RpcError -32602 */
export function transactionFormat(request: TransactionRequest, fallback: TransactionEncoding): TransactionFormat {
  const named = typeof request === 'string' ? request : request.encoding;
  const encoding = ENCODINGS.find((known) => known === (named ?? fallback));
  if (!encoding)
    throw invalidParams(`Invalid params: unknown variant \`${named}\`, expected one of ${ENCODINGS.join(', ')}`);
  const version = typeof request === 'string' ? null : (request.maxSupportedTransactionVersion ?? null);
  return { encoding, maxSupportedTransactionVersion: version };
}
