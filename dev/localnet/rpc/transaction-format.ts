import { Type } from 'typebox';
import type { TransactionEncoding, TransactionFormat } from '../encoding/transaction-encoding.ts';
import { ContextFields } from './params.ts';
import { invalidParams } from './rpc-error.ts';

const ENCODINGS: readonly TransactionEncoding[] = ['binary', 'base58', 'base64', 'json', 'jsonParsed'];

/** Fields of the configuration object of methods that return transactions. */
export const TransactionFields = {
  ...ContextFields,
  encoding: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  maxSupportedTransactionVersion: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 255 }), Type.Null()])),
};

/** What a request says of how transactions are to be written: a bare encoding, or a configuration object. */
export type TransactionRequest =
  | string
  | { readonly encoding?: string | null; readonly maxSupportedTransactionVersion?: number | null };

/** The format a request asks for. @throws RpcError -32602 for an encoding that does not exist */
export function transactionFormat(request: TransactionRequest, fallback: TransactionEncoding): TransactionFormat {
  const named = typeof request === 'string' ? request : request.encoding;
  const encoding = ENCODINGS.find((known) => known === (named ?? fallback));
  if (!encoding)
    throw invalidParams(`Invalid params: unknown variant \`${named}\`, expected one of ${ENCODINGS.join(', ')}`);
  const version = typeof request === 'string' ? null : (request.maxSupportedTransactionVersion ?? null);
  return { encoding, maxSupportedTransactionVersion: version };
}
