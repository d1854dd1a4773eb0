import {
  type ConfirmedTransactionMeta,
  Message,
  MessageV0,
  PublicKey,
  type TokenBalance as BalanceOfToken,
  type VersionedTransactionResponse,
} from '@solana/web3.js';
import bs58 from 'bs58';
import type { TokenBalance, TransactionInfo, TransactionMessage, TransactionMeta } from './messages.ts';
import type { ValueOf } from './protobuf.ts';

/** Throws a TypeError for a missing part. */
export function toResponse(slot: number, info: ValueOf<typeof TransactionInfo>): VersionedTransactionResponse {
  const { transaction, meta } = info;
  if (!transaction?.message || !meta) throw new TypeError('a transaction of the stream has no message or no outcome');
  const { versioned } = transaction.message;
  return {
    slot,
    version: versioned ? 0 : 'legacy',
    transaction: {
      message: versioned ? messageV0(transaction.message) : legacyMessage(transaction.message),
      signatures: transaction.signatures.map((signature) => bs58.encode(signature)),
    },
    meta: metaOf(meta),
  };
}

const NO_HEADER = { numRequiredSignatures: 0, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 0 };

function legacyMessage(message: ValueOf<typeof TransactionMessage>): Message {
  return new Message({
    header: message.header ?? NO_HEADER,
    accountKeys: message.accountKeys.map((key) => new PublicKey(key)),
    recentBlockhash: bs58.encode(message.recentBlockhash),
    instructions: message.instructions.map(({ programIdIndex, accounts, data }) => ({
      programIdIndex,
      accounts: [...accounts],
      data: bs58.encode(data),
    })),
  });
}

function messageV0(message: ValueOf<typeof TransactionMessage>): MessageV0 {
  return new MessageV0({
    header: message.header ?? NO_HEADER,
    staticAccountKeys: message.accountKeys.map((key) => new PublicKey(key)),
    recentBlockhash: bs58.encode(message.recentBlockhash),
    compiledInstructions: message.instructions.map(({ programIdIndex, accounts, data }) => ({
      programIdIndex,
      accountKeyIndexes: [...accounts],
      data,
    })),
    addressTableLookups: message.addressTableLookups.map(({ accountKey, writableIndexes, readonlyIndexes }) => ({
      accountKey: new PublicKey(accountKey),
      writableIndexes: [...writableIndexes],
      readonlyIndexes: [...readonlyIndexes],
    })),
  });
}

function metaOf(meta: ValueOf<typeof TransactionMeta>): ConfirmedTransactionMeta {
  return {
    // In Agave's serialisation; only its existence matters.
    err: meta.err === null ? null : 'failed',
    fee: Number(meta.fee),
    preBalances: meta.preBalances.map(Number),
    postBalances: meta.postBalances.map(Number),
    preTokenBalances: meta.preTokenBalances.map(tokenBalance),
    postTokenBalances: meta.postTokenBalances.map(tokenBalance),
    logMessages: meta.logMessagesNone ? null : [...meta.logMessages],
    innerInstructions: meta.innerInstructions.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map(({ programIdIndex, accounts, data }) => ({
        programIdIndex,
        accounts: [...accounts],
        data: bs58.encode(data),
      })),
    })),
    loadedAddresses: {
      writable: meta.loadedWritableAddresses.map((key) => new PublicKey(key)),
      readonly: meta.loadedReadonlyAddresses.map((key) => new PublicKey(key)),
    },
  };
}

function tokenBalance({
  accountIndex,
  mint,
  owner,
  programId,
  uiTokenAmount,
}: ValueOf<typeof TokenBalance>): BalanceOfToken {
  if (uiTokenAmount === null) throw new TypeError(`the balance of account ${accountIndex} has no amount`);
  const { amount, decimals, uiAmount, uiAmountString } = uiTokenAmount;
  return { accountIndex, mint, owner, programId, uiTokenAmount: { amount, decimals, uiAmount, uiAmountString } };
}
