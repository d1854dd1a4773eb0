import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { encodeAccountsOnly, encodeTransaction, type TransactionFormat } from '../encoding/transaction-encoding.ts';
import type { Block } from '../ledger/blocks.ts';
import type { TransactionRecord } from '../ledger/record.ts';
import type { ChainView } from '../server/view.ts';
import { checkedCommitment, type RpcMethods, withContext } from './context.ts';
import { config, ContextConfig, param, SlotParam } from './params.ts';
import { invalidParams, RPC_ERRORS, RpcError } from './rpc-error.ts';
import { TransactionFields, transactionFormat } from './transaction-format.ts';

const MAX_RANGE = 500_000;

const Details = Type.Enum(['full', 'accounts', 'signatures', 'none']);
const BlockConfig = Compile(
  Type.Union([
    Type.String(),
    Type.Object({
      ...TransactionFields,
      transactionDetails: Type.Optional(Type.Union([Details, Type.Null()])),
      rewards: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    }),
  ]),
);

function firstAvailable(view: ChainView): number {
  return view.ledger.history.firstSlot(view.historyFrom) ?? view.ledger.slot;
}

/** @throws RpcError like a node: cleaned up, skipped or not available yet */
function blockOf(view: ChainView, slot: number, newest: number): Block {
  const first = firstAvailable(view);
  if (slot < first) {
    const message = `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`;
    throw new RpcError(RPC_ERRORS.blockCleanedUp, message);
  }
  if (slot > newest) throw new RpcError(RPC_ERRORS.blockNotAvailable, `Block not available for slot ${slot}`);
  const block = view.ledger.history.block(slot);
  if (block) return block;
  throw new RpcError(
    RPC_ERRORS.slotSkipped,
    `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
  );
}

function detailsOf(records: readonly TransactionRecord[], details: string, format: TransactionFormat): object {
  if (details === 'none') return {};
  if (details === 'signatures') return { signatures: records.map((record) => record.signature) };
  const encode = details === 'accounts' ? encodeAccountsOnly : encodeTransaction;
  return { transactions: records.map((record) => encode(record, format)) };
}

function slotsIn(view: ChainView, from: number, to: number, limit: number): number[] {
  if (to - from > MAX_RANGE) throw invalidParams(`Slot range too large; max ${MAX_RANGE}`);
  return view.ledger.history.slots(Math.max(from, view.historyFrom), to, limit);
}

export const blockMethods: RpcMethods = {
  getBlock: (params, { view }) => {
    const slot = param(params, 0, SlotParam);
    const request = config(params, 1, BlockConfig);
    const options = typeof request === 'string' ? {} : request;
    const commitment = checkedCommitment(view, options);
    if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`');
    const block = blockOf(view, slot, view.slotAt(commitment));
    const format = transactionFormat(request, 'json');
    return {
      blockHeight: block.height,
      blockTime: block.time,
      blockhash: block.blockhash,
      parentSlot: block.parentSlot,
      previousBlockhash: block.previousBlockhash,
      ...(options.rewards !== false && { rewards: [] }),
      ...detailsOf(view.ledger.history.inBlock(slot), options.transactionDetails ?? 'full', format),
    };
  },

  getBlockTime: (params, { view }) => blockOf(view, param(params, 0, SlotParam), view.slotAt('confirmed')).time,

  getBlocks: (params, { view }) => {
    const from = param(params, 0, SlotParam);
    const hasEnd = typeof params[1] === 'number';
    const commitment = checkedCommitment(view, config(params, hasEnd ? 2 : 1, ContextConfig));
    const newest = view.slotAt(commitment);
    const to = hasEnd ? Math.min(param(params, 1, SlotParam), newest) : newest;
    return to < from ? [] : slotsIn(view, from, to, MAX_RANGE);
  },

  getBlocksWithLimit: (params, { view }) => {
    const [from, limit] = [param(params, 0, SlotParam), param(params, 1, SlotParam)];
    const newest = view.slotAt(checkedCommitment(view, config(params, 2, ContextConfig)));
    return newest < from ? [] : slotsIn(view, from, newest, Math.min(limit, MAX_RANGE));
  },

  getFirstAvailableBlock: (_params, { view }) => firstAvailable(view),
  minimumLedgerSlot: (_params, { view }) => firstAvailable(view),

  getBlockProduction: (params, { view }) => {
    const commitment = checkedCommitment(view, config(params, 0, ContextConfig));
    const [firstSlot, lastSlot] = [firstAvailable(view), view.slotAt(commitment)];
    return withContext(view, commitment, { byIdentity: {}, range: { firstSlot, lastSlot } });
  },
};
