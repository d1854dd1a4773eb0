import {
  AccountInfo,
  AccountUpdate,
  BlockHeight,
  BlockMetaUpdate,
  CompiledInstruction,
  InnerInstruction,
  InnerInstructions,
  MessageHeader,
  SLOT_STATUSES,
  SlotUpdate,
  SubscribeUpdate,
  type SubscribeUpdateValue,
  TableLookup,
  TokenBalance,
  Transaction,
  TransactionError,
  TransactionInfo,
  TransactionMessage,
  TransactionMeta,
  TransactionStatusUpdate,
  TransactionUpdate,
  UiTokenAmount,
  UnixTimestamp,
} from '../../../chain/stream/yellowstone/messages.ts';
import { fromBase58 } from '../encoding/base58.ts';
import { uiTokenAmount } from '../encoding/token-amount.ts';
import { RENT_EPOCH } from '../ledger/account.ts';
import type { TransactionRecord } from '../ledger/record.ts';
import type { TokenBalance as Balance } from '../ledger/token-balance.ts';
import { decodeTransaction, type WireTransaction } from '../ledger/wire-transaction.ts';
import type { AccountWrite, SlotEntry } from './slot-log.ts';

type Update = Partial<Omit<SubscribeUpdateValue, 'filters'>>;

export function updateFor(filters: readonly string[], update: Update): SubscribeUpdateValue {
  return SubscribeUpdate.of({ ...update, filters });
}

export function slotUpdate({ slot, parent }: SlotEntry, status: keyof typeof SLOT_STATUSES): Update {
  const deadError = status === 'dead' ? 'the slot was skipped' : null;
  return { slot: SlotUpdate.of({ slot, parent, status: SLOT_STATUSES[status], deadError }) };
}

export function blockMetaUpdate({ slot, block, records }: SlotEntry): Update {
  if (block === null) throw new Error(`slot ${slot} is still open`);
  return {
    blockMeta: BlockMetaUpdate.of({
      slot,
      blockhash: block.blockhash,
      blockTime: UnixTimestamp.of({ timestamp: BigInt(block.time) }),
      blockHeight: BlockHeight.of({ blockHeight: block.height }),
      parentSlot: block.parentSlot,
      parentBlockhash: block.previousBlockhash,
      executedTransactionCount: records.length,
    }),
  };
}

/** A deleted account has no lamports and no data. */
export function accountUpdate(slot: number, write: AccountWrite): Update {
  const { address, account, signature, version } = write;
  const info = AccountInfo.of({
    pubkey: fromBase58(address),
    lamports: account?.lamports ?? 0n,
    owner: fromBase58(account?.owner ?? '11111111111111111111111111111111'),
    executable: account?.executable ?? false,
    rentEpoch: RENT_EPOCH,
    data: account?.data ?? new Uint8Array(),
    writeVersion: BigInt(version),
    txnSignature: fromBase58(signature),
  });
  return { account: AccountUpdate.of({ account: info, slot }) };
}

export function transactionUpdate(record: TransactionRecord): Update {
  const { slot, index, signature, wire } = record;
  const decoded = decodeTransaction(wire);
  const transaction = TransactionInfo.of({
    signature: fromBase58(signature),
    transaction: transactionOf(decoded),
    meta: metaOf(record),
    index,
  });
  return { transaction: TransactionUpdate.of({ transaction, slot }) };
}

export function transactionStatusUpdate(record: TransactionRecord): Update {
  const { slot, index, signature } = record;
  const err = errorOf(record);
  return { transactionStatus: TransactionStatusUpdate.of({ slot, signature: fromBase58(signature), index, err }) };
}

function transactionOf({ message, signatures }: WireTransaction) {
  const { version, header, staticKeys, blockhash, instructions, lookups } = message;
  return Transaction.of({
    signatures,
    message: TransactionMessage.of({
      header: MessageHeader.of(header),
      accountKeys: staticKeys.map(fromBase58),
      recentBlockhash: fromBase58(blockhash),
      instructions: instructions.map(({ programIdIndex, accounts, data }) =>
        CompiledInstruction.of({ programIdIndex, accounts: Uint8Array.from(accounts), data }),
      ),
      versioned: version === 0,
      addressTableLookups: lookups.map(({ table, writable, readonly }) =>
        TableLookup.of({
          accountKey: fromBase58(table),
          writableIndexes: Uint8Array.from(writable),
          readonlyIndexes: Uint8Array.from(readonly),
        }),
      ),
    }),
  });
}

/** Clients only check that there is an error. */
function errorOf({ err }: TransactionRecord) {
  return err === null ? null : TransactionError.of({ err: Buffer.from(JSON.stringify(err)) });
}

function metaOf(record: TransactionRecord) {
  return TransactionMeta.of({
    err: errorOf(record),
    fee: record.fee,
    preBalances: record.preBalances,
    postBalances: record.postBalances,
    innerInstructions: record.inner
      .map((group, index) => InnerInstructions.of({ index, instructions: group.map(innerInstruction) }))
      .filter(({ instructions }) => instructions.length > 0),
    logMessages: record.logs,
    preTokenBalances: record.preTokenBalances.map(tokenBalance),
    postTokenBalances: record.postTokenBalances.map(tokenBalance),
    loadedWritableAddresses: record.loaded.writable.map(fromBase58),
    loadedReadonlyAddresses: record.loaded.readonly.map(fromBase58),
    returnDataNone: true,
    computeUnitsConsumed: record.computeUnits,
  });
}

function innerInstruction({ programIdIndex, accounts, data, stackHeight }: TransactionRecord['inner'][number][number]) {
  return InnerInstruction.of({ programIdIndex, accounts: Uint8Array.from(accounts), data, stackHeight });
}

function tokenBalance({ accountIndex, mint, owner, programId, amount, decimals }: Balance) {
  const { uiAmount, uiAmountString } = uiTokenAmount(amount, decimals);
  return TokenBalance.of({
    accountIndex,
    mint,
    owner,
    programId,
    uiTokenAmount: UiTokenAmount.of({ uiAmount: uiAmount ?? 0, decimals, amount: String(amount), uiAmountString }),
  });
}
