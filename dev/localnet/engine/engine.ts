import { type Address as KitAddress, address as kitAddress, lamports, type Transaction } from '@solana/kit';
import { Clock, FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from 'litesvm';
import { toBase58 } from '../encoding/base58.ts';
import type { Account, Address } from '../ledger/account.ts';
import type { WireTransaction } from '../ledger/wire-transaction.ts';
import { engineError } from './engine-error.ts';
import type { TransactionError } from './transaction-error.ts';

/** `stackHeight` 2: called by a top-level instruction. */
export interface InnerInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
  readonly stackHeight: number;
}

export interface Execution {
  readonly err: TransactionError | null;
  readonly logs: readonly string[];
  readonly computeUnits: bigint;
  readonly inner: readonly (readonly InnerInstruction[])[];
  readonly returnData: { readonly programId: Address; readonly data: Uint8Array } | null;
}

export const SLOTS_PER_EPOCH = 432_000;

const SLOT_HASHES = 'SysvarS1otHashes111111111111111111111111111';
const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111';

function innerOf(meta: TransactionMetadata): InnerInstruction[][] {
  return meta.innerInstructions().map((group) =>
    group.map((inner) => {
      const instruction = inner.instruction();
      return {
        programIdIndex: instruction.programIdIndex(),
        accounts: [...instruction.accounts()],
        data: instruction.data(),
        stackHeight: inner.stackHeight(),
      };
    }),
  );
}

function executionOf(meta: TransactionMetadata, err: TransactionError | null): Execution {
  const returned = meta.returnData();
  const data = returned.data();
  return {
    err,
    logs: meta.logs(),
    computeUnits: meta.computeUnitsConsumed(),
    inner: innerOf(meta),
    returnData: data.length === 0 ? null : { programId: toBase58(returned.programId()), data },
  };
}

const NOT_RUN = { logs: [], computeUnits: 0n, inner: [], returnData: null };

/**
 * LiteSVM has a validator's programs and rules; blockhash window, duplicates, nonces of failed transactions and history
 * are the ledger's.
 */
export class Engine {
  readonly #svm: LiteSVM;
  #verifies = true;

  constructor() {
    // The ledger deduplicates by message, LiteSVM by signature.
    this.#svm = new LiteSVM().withBlockhashCheck(false).withTransactionHistory(0n).withNativeMints();
  }

  /** Clock sysvar (Unix seconds) and SlotHashes (raw). */
  openSlot(slot: number, unixTime: number, slotHashes: Uint8Array): void {
    const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH));
    this.#svm.setClock(new Clock(BigInt(slot), BigInt(unixTime), epoch, epoch + 1n, BigInt(unixTime)));
    this.setAccount(SLOT_HASHES, { lamports: 1n, data: slotHashes, owner: SYSVAR_OWNER, executable: false });
  }

  account(address: Address): Account | null {
    const found = this.#svm.getAccount(kitAddress(address));
    if (!found.exists) return null;
    return {
      lamports: found.lamports,
      data: found.data,
      owner: found.programAddress,
      executable: found.executable,
    };
  }

  /** Null removes it. */
  setAccount(address: Address, account: Account | null): void {
    this.#svm.setAccount({
      address: kitAddress(address),
      lamports: lamports(account?.lamports ?? 0n),
      data: account?.data ?? new Uint8Array(),
      programAddress: (account?.owner ?? '11111111111111111111111111111111') as KitAddress,
      executable: account?.executable ?? false,
      space: BigInt(account?.data.length ?? 0),
    });
  }

  /** A failed one keeps its fee. */
  execute(transaction: WireTransaction, verifySignatures: boolean): Execution {
    const signed = this.#prepare(transaction, verifySignatures);
    if (!signed) return { err: 'SignatureFailure', ...NOT_RUN };
    const result = this.#svm.sendTransaction(signed);
    return result instanceof FailedTransactionMetadata
      ? executionOf(result.meta(), engineError(result.err()))
      : executionOf(result, null);
  }

  minimumBalance(dataLength: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(dataLength));
  }

  /** Deploys a program for ever: a rollback does not undo it. */
  deploy(programId: Address, path: string): void {
    this.#svm.addProgramFromFile(kitAddress(programId), path);
  }

  /** Null if a signature is missing. */
  #prepare({ signatures, message }: WireTransaction, verify: boolean): Transaction | null {
    if (verify !== this.#verifies) this.#svm.withSigverify(verify);
    this.#verifies = verify;
    const entries = signatures.map((signature, index) => [message.staticKeys[index] ?? '', signature] as const);
    if (verify && signatures.some((signature) => signature.every((byte) => byte === 0))) return null;
    return {
      messageBytes: message.bytes,
      signatures: Object.fromEntries(entries),
    } as unknown as Transaction;
  }
}
