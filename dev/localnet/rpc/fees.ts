import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { computeBudgetOf, feeOf } from '../ledger/fee.ts';
import { isWritable } from '../ledger/message-keys.ts';
import type { TransactionRecord } from '../ledger/record.ts';
import {
  decodeMessage,
  decodeTransaction,
  MalformedTransactionError,
  type WireMessage,
} from '../ledger/wire-transaction.ts';
import { checkedCommitment, type RpcMethods, withContext } from './context.ts';
import { addressParam, config, ContextConfig, param } from './params.ts';
import { invalidParams } from './rpc-error.ts';

const Text = Compile(Type.String());
const Addresses = Compile(Type.Array(Type.String()));
const FEE_BLOCKS = 150;
const MAX_ADDRESSES = 128;

function messageOf(text: string): WireMessage {
  try {
    return decodeMessage(Buffer.from(text, 'base64'));
  } catch (error) {
    if (error instanceof MalformedTransactionError || error instanceof RangeError) {
      throw invalidParams(`failed to deserialize solana_message::versioned::VersionedMessage: ${error.message}`);
    }
    throw error;
  }
}

function locks(record: TransactionRecord, message: WireMessage, addresses: readonly string[]): boolean {
  return addresses.every((address) => {
    const index = record.keys.indexOf(address);
    return index >= 0 && isWritable(message, record.loaded, index);
  });
}

function lowestPrice(records: readonly TransactionRecord[], addresses: readonly string[]): bigint {
  let lowest: bigint | null = null;
  for (const record of records) {
    const { message } = decodeTransaction(record.wire);
    if (!locks(record, message, addresses)) continue;
    const { unitPrice } = computeBudgetOf(message);
    if (lowest === null || unitPrice < lowest) lowest = unitPrice;
  }
  return lowest ?? 0n;
}

export const feeMethods: RpcMethods = {
  getFeeForMessage: (params, { view }) => {
    const commitment = checkedCommitment(view, config(params, 1, ContextConfig));
    const message = messageOf(param(params, 0, Text));
    const refused = view.admissionError(message, commitment, (address) => view.account(address, commitment));
    return withContext(view, commitment, refused === 'BlockhashNotFound' ? null : feeOf(message));
  },

  getRecentPrioritizationFees: (params, { view }) => {
    const addresses = param([params[0] ?? []], 0, Addresses);
    if (addresses.length > MAX_ADDRESSES) throw invalidParams(`Too many inputs provided; max ${MAX_ADDRESSES}`);
    for (const index of addresses.keys()) addressParam(addresses, index);
    const newest = view.slotAt('confirmed');
    const slots = view.ledger.history.slots(Math.max(newest - FEE_BLOCKS + 1, view.historyFrom), newest, FEE_BLOCKS);
    return slots.map((slot) => {
      const prioritizationFee = lowestPrice(view.ledger.history.inBlock(slot), addresses);
      return { prioritizationFee, slot };
    });
  },
};
