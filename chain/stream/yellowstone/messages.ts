/**
 * Part of Yellowstone's gRPC protocol (package `geyser`), field numbers from
 * https://github.com/rpcpool/yellowstone-grpc; `test/chain/stream/messages.test.ts` compares them with bytes of its
 * client.
 */
import {
  bool,
  byName,
  bytes,
  count,
  double,
  i32,
  i64,
  many,
  maybe,
  message,
  nested,
  one,
  text,
  u64,
  type ValueOf,
} from './protobuf.ts';

const NO_BYTES = new Uint8Array();

/** `CommitmentLevel`. */
export const COMMITMENTS = { processed: 0, confirmed: 1, finalized: 2 } as const;

/** `SlotStatus`, used values. */
export const SLOT_STATUSES = { processed: 0, confirmed: 1, finalized: 2, dead: 6 } as const;

export const Memcmp = message({
  offset: one(1, count, 0),
  bytes: maybe(2, bytes),
  base58: maybe(3, text),
  base64: maybe(4, text),
});
export const AccountsFilterCondition = message({
  memcmp: maybe(1, nested(Memcmp)),
  datasize: maybe(2, count),
  tokenAccountState: maybe(3, bool),
});
export const AccountsFilter = message({
  account: many(2, text),
  owner: many(3, text),
  filters: many(4, nested(AccountsFilterCondition)),
  nonemptyTxnSignature: maybe(5, bool),
});
export const SlotsFilter = message({ filterByCommitment: maybe(1, bool), interslotUpdates: maybe(2, bool) });
export const TransactionsFilter = message({
  vote: maybe(1, bool),
  failed: maybe(2, bool),
  accountInclude: many(3, text),
  accountExclude: many(4, text),
  signature: maybe(5, text),
  accountRequired: many(6, text),
});
export const BlocksMetaFilter = message({});
export const DataSlice = message({ offset: one(1, count, 0), length: one(2, count, 0) });
export const PingId = message({ id: one(1, i32, 0) });

export const SubscribeRequest = message({
  accounts: byName(1, AccountsFilter),
  slots: byName(2, SlotsFilter),
  transactions: byName(3, TransactionsFilter),
  blocksMeta: byName(5, BlocksMetaFilter),
  commitment: maybe(6, i32),
  accountsDataSlice: many(7, nested(DataSlice)),
  ping: maybe(9, nested(PingId)),
  transactionsStatus: byName(10, TransactionsFilter),
  fromSlot: maybe(11, count),
});
export type SubscribeRequestValue = ValueOf<typeof SubscribeRequest>;

export const AccountInfo = message({
  pubkey: one(1, bytes, NO_BYTES),
  lamports: one(2, u64, 0n),
  owner: one(3, bytes, NO_BYTES),
  executable: one(4, bool, false),
  rentEpoch: one(5, u64, 0n),
  data: one(6, bytes, NO_BYTES),
  writeVersion: one(7, u64, 0n),
  txnSignature: maybe(8, bytes),
});
export const AccountUpdate = message({
  account: maybe(1, nested(AccountInfo)),
  slot: one(2, count, 0),
  isStartup: one(3, bool, false),
});

export const SlotUpdate = message({
  slot: one(1, count, 0),
  parent: maybe(2, count),
  status: one(3, i32, 0),
  deadError: maybe(4, text),
});

export const MessageHeader = message({
  numRequiredSignatures: one(1, count, 0),
  numReadonlySignedAccounts: one(2, count, 0),
  numReadonlyUnsignedAccounts: one(3, count, 0),
});
export const CompiledInstruction = message({
  programIdIndex: one(1, count, 0),
  accounts: one(2, bytes, NO_BYTES),
  data: one(3, bytes, NO_BYTES),
});
export const TableLookup = message({
  accountKey: one(1, bytes, NO_BYTES),
  writableIndexes: one(2, bytes, NO_BYTES),
  readonlyIndexes: one(3, bytes, NO_BYTES),
});
export const TransactionMessage = message({
  header: maybe(1, nested(MessageHeader)),
  accountKeys: many(2, bytes),
  recentBlockhash: one(3, bytes, NO_BYTES),
  instructions: many(4, nested(CompiledInstruction)),
  versioned: one(5, bool, false),
  addressTableLookups: many(6, nested(TableLookup)),
});
export const Transaction = message({ signatures: many(1, bytes), message: maybe(2, nested(TransactionMessage)) });

/** Agave's serialisation. */
export const TransactionError = message({ err: one(1, bytes, NO_BYTES) });
export const InnerInstruction = message({
  programIdIndex: one(1, count, 0),
  accounts: one(2, bytes, NO_BYTES),
  data: one(3, bytes, NO_BYTES),
  stackHeight: maybe(4, count),
});
export const InnerInstructions = message({ index: one(1, count, 0), instructions: many(2, nested(InnerInstruction)) });
export const UiTokenAmount = message({
  uiAmount: one(1, double, 0),
  decimals: one(2, count, 0),
  amount: one(3, text, ''),
  uiAmountString: one(4, text, ''),
});
export const TokenBalance = message({
  accountIndex: one(1, count, 0),
  mint: one(2, text, ''),
  uiTokenAmount: maybe(3, nested(UiTokenAmount)),
  owner: one(4, text, ''),
  programId: one(5, text, ''),
});
export const TransactionMeta = message({
  err: maybe(1, nested(TransactionError)),
  fee: one(2, u64, 0n),
  preBalances: many(3, u64),
  postBalances: many(4, u64),
  innerInstructions: many(5, nested(InnerInstructions)),
  logMessages: many(6, text),
  preTokenBalances: many(7, nested(TokenBalance)),
  postTokenBalances: many(8, nested(TokenBalance)),
  innerInstructionsNone: one(10, bool, false),
  logMessagesNone: one(11, bool, false),
  loadedWritableAddresses: many(12, bytes),
  loadedReadonlyAddresses: many(13, bytes),
  returnDataNone: one(15, bool, false),
  computeUnitsConsumed: maybe(16, u64),
});
export const TransactionInfo = message({
  signature: one(1, bytes, NO_BYTES),
  isVote: one(2, bool, false),
  transaction: maybe(3, nested(Transaction)),
  meta: maybe(4, nested(TransactionMeta)),
  index: one(5, count, 0),
});
export const TransactionUpdate = message({ transaction: maybe(1, nested(TransactionInfo)), slot: one(2, count, 0) });
export const TransactionStatusUpdate = message({
  slot: one(1, count, 0),
  signature: one(2, bytes, NO_BYTES),
  isVote: one(3, bool, false),
  index: one(4, count, 0),
  err: maybe(5, nested(TransactionError)),
});

export const UnixTimestamp = message({ timestamp: one(1, i64, 0n) });
export const BlockHeight = message({ blockHeight: one(1, count, 0) });
export const BlockMetaUpdate = message({
  slot: one(1, count, 0),
  blockhash: one(2, text, ''),
  blockTime: maybe(4, nested(UnixTimestamp)),
  blockHeight: maybe(5, nested(BlockHeight)),
  parentSlot: one(6, count, 0),
  parentBlockhash: one(7, text, ''),
  executedTransactionCount: one(8, count, 0),
  entriesCount: one(9, count, 0),
});

/** `google.protobuf.Timestamp`. */
export const Timestamp = message({ seconds: one(1, i64, 0n), nanos: one(2, i32, 0) });

export const SubscribeUpdate = message({
  filters: many(1, text),
  account: maybe(2, nested(AccountUpdate)),
  slot: maybe(3, nested(SlotUpdate)),
  transaction: maybe(4, nested(TransactionUpdate)),
  ping: maybe(6, nested(message({}))),
  blockMeta: maybe(7, nested(BlockMetaUpdate)),
  pong: maybe(9, nested(PingId)),
  transactionStatus: maybe(10, nested(TransactionStatusUpdate)),
  createdAt: maybe(11, nested(Timestamp)),
});
export type SubscribeUpdateValue = ValueOf<typeof SubscribeUpdate>;

export const Empty = message({});
export const PingCount = message({ count: one(1, i32, 0) });
export const VersionAnswer = message({ version: one(1, text, '') });
export const SlotRequest = message({ commitment: maybe(1, i32) });
export const SlotAnswer = message({ slot: one(1, count, 0) });
export const ReplayInfo = message({ firstAvailable: maybe(1, count) });
