import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { encodeTransaction } from '../encoding/transaction-encoding.ts';
import type { TransactionRecord } from '../ledger/record.ts';
import type { LandedStatus } from '../ledger/status-cache.ts';
import type { ChainView } from '../server/view.ts';
import { checkedCommitment, type RpcMethods, withContext } from './context.ts';
import { addressParam, type Commitment, config, ContextFields, param, signatureParam } from './params.ts';
import { invalidParams } from './rpc-error.ts';
import { transactionFormat, TransactionFields } from './transaction-format.ts';

const MAX_STATUSES = 256;
const MAX_SIGNATURES = 1_000;

const Signatures = Compile(Type.Array(Type.String()));
const StatusConfig = Compile(Type.Object({ searchTransactionHistory: Type.Optional(Type.Boolean()) }));
const TransactionConfig = Compile(Type.Union([Type.String(), Type.Object(TransactionFields)]));
const SignaturesConfig = Compile(
  Type.Object({
    ...ContextFields,
    limit: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: MAX_SIGNATURES }), Type.Null()])),
    before: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    until: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
);

export function findTransaction(view: ChainView, signature: string, commitment: Commitment): TransactionRecord | null {
  const record = view.ledger.history.transaction(signature);
  return record && view.sees(record.slot) && record.slot <= view.slotAt(commitment) ? record : null;
}

function statusJson(view: ChainView, { slot, err }: LandedStatus): unknown {
  const confirmationStatus = view.commitmentOf(slot);
  return {
    confirmationStatus,
    confirmations: confirmationStatus === 'finalized' ? null : Math.max(0, view.tip - slot),
    err,
    slot,
    status: err === null ? { Ok: null } : { Err: err },
  };
}

function statusOf(view: ChainView, signature: string, searchHistory: boolean): unknown {
  const status = view.recentStatus(signature) ?? (searchHistory ? findTransaction(view, signature, 'finalized') : null);
  return status && statusJson(view, status);
}

function blockPlace(view: ChainView, signature: string | null | undefined, fallback: { slot: number; place: number }) {
  if (signature === undefined || signature === null) return fallback;
  const record = view.ledger.history.transaction(signature);
  // As Agave: an unknown `before` finds nothing, an unknown `until` does not stop.
  return record && view.sees(record.slot) ? { slot: record.slot, place: record.index } : { slot: 0, place: 0 };
}

export const transactionMethods: RpcMethods = {
  getSignatureStatuses: (params, { view }) => {
    const signatures = param(params, 0, Signatures);
    if (signatures.length > MAX_STATUSES) throw invalidParams(`Too many inputs provided; max ${MAX_STATUSES}`);
    const { searchTransactionHistory = false } = config(params, 1, StatusConfig);
    const checked = signatures.map((_signature, index) => signatureParam(signatures, index));
    const value = checked.map((signature) => statusOf(view, signature, searchTransactionHistory));
    return withContext(view, 'processed', value);
  },

  getTransaction: (params, { view }) => {
    const signature = signatureParam(params, 0);
    const request = config(params, 1, TransactionConfig);
    const format = transactionFormat(request, 'json');
    const commitment = checkedCommitment(view, typeof request === 'string' ? {} : request);
    if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`');
    const record = findTransaction(view, signature, commitment);
    if (!record) return null;
    return { blockTime: record.blockTime, slot: record.slot, ...encodeTransaction(record, format) };
  },

  getSignaturesForAddress: (params, { view }) => {
    const address = addressParam(params, 0);
    const request = config(params, 1, SignaturesConfig);
    const commitment = checkedCommitment(view, request);
    if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`');
    const { history } = view.ledger;
    const newest = { slot: view.slotAt(commitment) + 1, place: 0 };
    const oldest = { slot: view.historyFrom, place: -1 };
    const before = blockPlace(view, request.before, newest);
    const from = before.slot > newest.slot ? newest : before;
    const until = blockPlace(view, request.until, oldest);
    const after = until.slot < oldest.slot ? oldest : until;
    const places = history.mentions(address, from, after, request.limit ?? MAX_SIGNATURES);
    return places.map((place) => signatureJson(view, history.atPlace(place)));
  },
};

function signatureJson(view: ChainView, record: TransactionRecord): unknown {
  const { blockTime, err, memo, signature, slot } = record;
  return { blockTime, confirmationStatus: view.commitmentOf(slot), err, memo, signature, slot };
}
