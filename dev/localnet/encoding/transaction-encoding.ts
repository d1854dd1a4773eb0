import { accountKeys, isSigner, isWritable, type LoadedAddresses } from '../ledger/message-keys.ts';
import type { TransactionRecord } from '../ledger/record.ts';
import {
  type CompiledInstruction,
  decodeTransaction,
  type WireMessage,
  type WireTransaction,
} from '../ledger/wire-transaction.ts';
import { RPC_ERRORS, RpcError } from '../rpc/rpc-error.ts';
import { toBase58 } from './base58.ts';
import { innerInstructionsJson, loadedAddressesJson, returnDataJson, tokenBalancesJson } from './meta-encoding.ts';
import { parseInstruction } from './parse-instruction.ts';

export type TransactionEncoding = 'binary' | 'base58' | 'base64' | 'json' | 'jsonParsed';

export interface TransactionFormat {
  readonly encoding: TransactionEncoding;
  readonly maxSupportedTransactionVersion: number | null;
}

function instructionJson({ programIdIndex, accounts, data }: CompiledInstruction, stackHeight: number | null): unknown {
  return { accounts, data: toBase58(data), programIdIndex, stackHeight };
}

function lookupsJson({ lookups }: WireMessage): unknown[] {
  return lookups.map(({ table, writable, readonly }) => ({
    accountKey: table,
    readonlyIndexes: readonly,
    writableIndexes: writable,
  }));
}

function jsonMessage(message: WireMessage): unknown {
  return {
    accountKeys: message.staticKeys,
    header: {
      numReadonlySignedAccounts: message.header.numReadonlySignedAccounts,
      numReadonlyUnsignedAccounts: message.header.numReadonlyUnsignedAccounts,
      numRequiredSignatures: message.header.numRequiredSignatures,
    },
    instructions: message.instructions.map((instruction) => instructionJson(instruction, 1)),
    recentBlockhash: message.blockhash,
    ...(message.version === 0 && { addressTableLookups: lookupsJson(message) }),
  };
}

export function parsedAccountKeys(message: WireMessage, loaded: LoadedAddresses): unknown[] {
  return accountKeys(message, loaded).map((pubkey, index) => ({
    pubkey,
    signer: isSigner(message, index),
    source: index < message.staticKeys.length ? 'transaction' : 'lookupTable',
    writable: isWritable(message, loaded, index),
  }));
}

function parsedMessage(message: WireMessage, loaded: LoadedAddresses): unknown {
  const keys = accountKeys(message, loaded);
  return {
    accountKeys: parsedAccountKeys(message, loaded),
    instructions: message.instructions.map((instruction) => parseInstruction(instruction, keys, 1)),
    recentBlockhash: message.blockhash,
    ...(message.version === 0 && { addressTableLookups: lookupsJson(message) }),
  };
}

function encodeBody(transaction: WireTransaction, loaded: LoadedAddresses, encoding: TransactionEncoding): unknown {
  const signatures = (): string[] => transaction.signatures.map(toBase58);
  switch (encoding) {
    case 'binary':
      return toBase58(transaction.wire);
    case 'base58':
      return [toBase58(transaction.wire), 'base58'];
    case 'base64':
      return [Buffer.from(transaction.wire).toString('base64'), 'base64'];
    case 'json':
      return { message: jsonMessage(transaction.message), signatures: signatures() };
    case 'jsonParsed':
      return { message: parsedMessage(transaction.message, loaded), signatures: signatures() };
  }
}

function parsedInner({ inner, keys }: TransactionRecord): unknown[] {
  return inner
    .map((group, index) => ({
      index,
      instructions: group.map((instruction) => parseInstruction(instruction, keys, instruction.stackHeight)),
    }))
    .filter(({ instructions }) => instructions.length > 0);
}

function encodeMeta(record: TransactionRecord, version: 'legacy' | 0, encoding: TransactionEncoding): unknown {
  return {
    computeUnitsConsumed: record.computeUnits,
    err: record.err,
    fee: record.fee,
    innerInstructions: encoding === 'jsonParsed' ? parsedInner(record) : innerInstructionsJson(record.inner),
    // They include the loaded ones.
    ...(encoding !== 'jsonParsed' && version === 0 && { loadedAddresses: loadedAddressesJson(record.loaded) }),
    ...(encoding !== 'jsonParsed' && version !== 0 && { loadedAddresses: { readonly: [], writable: [] } }),
    logMessages: record.logs,
    postBalances: record.postBalances,
    postTokenBalances: tokenBalancesJson(record.postTokenBalances),
    preBalances: record.preBalances,
    preTokenBalances: tokenBalancesJson(record.preTokenBalances),
    ...(record.returnData && { returnData: returnDataJson(record.returnData) }),
    rewards: [],
    status: record.err === null ? { Ok: null } : { Err: record.err },
  };
}

function versionField(version: 'legacy' | 0, format: TransactionFormat): { version?: 'legacy' | 0 } {
  if (format.maxSupportedTransactionVersion !== null) return { version };
  if (version === 'legacy') return {};
  const advice =
    'Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 0';
  const message = `Transaction version (${version}) is not supported by the requesting client. ${advice}`;
  throw new RpcError(RPC_ERRORS.unsupportedTransactionVersion, message);
}

/** @throws RpcError -32015 for a version that the client cannot read */
export function encodeTransaction(record: TransactionRecord, format: TransactionFormat): Record<string, unknown> {
  const transaction = decodeTransaction(record.wire);
  const { version } = transaction.message;
  const versioned = versionField(version, format);
  return {
    meta: encodeMeta(record, version, format.encoding),
    transaction: encodeBody(transaction, record.loaded, format.encoding),
    ...versioned,
  };
}

export function encodeAccountsOnly(record: TransactionRecord, format: TransactionFormat): Record<string, unknown> {
  const { message, signatures } = decodeTransaction(record.wire);
  const versioned = versionField(message.version, format);
  const { err, fee, preBalances, postBalances } = record;
  return {
    meta: {
      err,
      fee,
      postBalances,
      postTokenBalances: tokenBalancesJson(record.postTokenBalances),
      preBalances,
      preTokenBalances: tokenBalancesJson(record.preTokenBalances),
      status: err === null ? { Ok: null } : { Err: err },
    },
    transaction: { accountKeys: parsedAccountKeys(message, record.loaded), signatures: signatures.map(toBase58) },
    ...versioned,
  };
}
