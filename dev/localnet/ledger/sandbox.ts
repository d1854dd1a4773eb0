import type { Engine, Execution } from '../engine/engine.ts';
import type { TransactionError } from '../engine/transaction-error.ts';
import { type Account, type Address, sameAccount } from './account.ts';
import { feeOf } from './fee.ts';
import { type LookupContext, resolveLookups } from './lookup-table.ts';
import { accountKeys, isWritable, type LoadedAddresses, NO_LOADED_ADDRESSES } from './message-keys.ts';
import { nonceAccountOf, parseNonce, withNonce } from './nonce.ts';
import { tokenBalances, type TokenBalance } from './token-balance.ts';
import type { WireTransaction } from './wire-transaction.ts';

export interface Run {
  readonly transaction: WireTransaction;
  readonly execution: Execution;
  /** In a block: succeeded, or failed and paid its fee. */
  readonly landed: boolean;
  readonly fee: bigint;
  readonly keys: readonly Address[];
  readonly loaded: LoadedAddresses;
  readonly before: readonly (Account | null)[];
  readonly after: readonly (Account | null)[];
  readonly tokensBefore: readonly TokenBalance[];
  readonly tokensAfter: readonly TokenBalance[];
}

export interface SandboxBase {
  readonly engine: Engine;
  readonly read: (address: Address) => Account | null;
  readonly readTip: (address: Address) => Account | null;
  readonly lookups: Omit<LookupContext, 'read'>;
  readonly nextNonce: string;
}

/** It does not run, but lands and pays its fee (SIMD-0082). */
const FEE_ONLY_ERRORS = new Set<TransactionError>([
  'ProgramAccountNotFound',
  'InvalidProgramForExecution',
  'MaxLoadedAccountsDataSizeExceeded',
]);

const MAX_ACCOUNT_LOCKS = 64;

/** Account keys that validators do not lock; null if they are fine. */
export function lockError(keys: readonly Address[]): TransactionError | null {
  if (keys.length > MAX_ACCOUNT_LOCKS) return 'TooManyAccountLocks';
  return new Set(keys).size < keys.length ? 'AccountLoadedTwice' : null;
}

const REFUSED = { logs: [], computeUnits: 0n, inner: [], returnData: null };

/**
 * Copy-on-write, in order, for simulations, bundles and landing. Effects last if `changes` are committed; `discard`
 * restores the engine.
 */
export class Sandbox {
  readonly #base: SandboxBase;
  readonly #overlay = new Map<Address, Account | null>();
  /** The engine got an older state. */
  readonly #lent = new Set<Address>();
  readonly #originals = new Map<Address, Account | null>();

  constructor(base: SandboxBase) {
    this.#base = base;
  }

  get changes(): ReadonlyMap<Address, Account | null> {
    return this.#overlay;
  }

  read(address: Address): Account | null {
    const changed = this.#overlay.get(address);
    return changed === undefined ? this.#base.read(address) : changed;
  }

  /** The caller checks age and duplicates. */
  run(transaction: WireTransaction, verifySignatures: boolean): Run {
    const { message } = transaction;
    const resolved = resolveLookups(message, { ...this.#base.lookups, read: (address) => this.read(address) });
    if ('err' in resolved) return this.#refused(transaction, resolved.err, NO_LOADED_ADDRESSES);
    const { loaded } = resolved;
    const keys = accountKeys(message, loaded);
    const err = lockError(keys);
    if (err) return this.#refused(transaction, err, loaded);
    this.#lend([...keys, ...message.lookups.map((lookup) => lookup.table)]);
    return this.#execute(transaction, keys, loaded, verifySignatures);
  }

  discard(): void {
    for (const [address, original] of this.#originals) {
      if (this.#lent.has(address) || this.#overlay.has(address)) this.#base.engine.setAccount(address, original);
    }
    this.#overlay.clear();
    this.#lent.clear();
  }

  /** The base slot's state, where it is not the newest. */
  #lend(keys: readonly Address[]): void {
    for (const key of keys) {
      if (this.#originals.has(key)) continue;
      const [wanted, held] = [this.#base.read(key), this.#base.readTip(key)];
      this.#originals.set(key, held);
      if (wanted === held || sameAccount(wanted, held)) continue;
      this.#base.engine.setAccount(key, wanted);
      this.#lent.add(key);
    }
  }

  #execute(
    transaction: WireTransaction,
    keys: readonly Address[],
    loaded: LoadedAddresses,
    verifySignatures: boolean,
  ): Run {
    const before = keys.map((key) => this.read(key));
    const invoked = new Set(transaction.message.instructions.map(({ programIdIndex }) => programIdIndex));
    const tokensIn = (accounts: Run['before']) => tokenBalances({ keys, invoked, accounts }, (mint) => this.read(mint));
    const tokensBefore = tokensIn(before);
    const raw = this.#base.engine.execute(transaction, verifySignatures);
    const execution = { ...raw, err: this.#preciseError(raw.err, transaction) };
    const fee = feeOf(transaction.message);
    const landed = this.#settle(transaction, execution, keys, loaded, before, fee);
    const after = keys.map((key) => this.read(key));
    const tokensAfter = tokensIn(after);
    return { transaction, execution, landed, fee, keys, loaded, before, after, tokensBefore, tokensAfter };
  }

  /** The engine reports a missing and an invalid program alike. */
  #preciseError(err: TransactionError | null, { message }: WireTransaction): TransactionError | null {
    if (err !== 'InvalidProgramForExecution') return err;
    const missing = message.instructions.some((one) => !this.read(message.staticKeys[one.programIdIndex] ?? ''));
    return missing ? 'ProgramAccountNotFound' : err;
  }

  /** Returns whether it landed. */
  #settle(
    { message }: WireTransaction,
    { err }: Execution,
    keys: readonly Address[],
    loaded: LoadedAddresses,
    before: readonly (Account | null)[],
    fee: bigint,
  ): boolean {
    if (err === null) {
      for (const [index, key] of keys.entries()) {
        if (isWritable(message, loaded, index)) this.#takeOver(key, before[index] ?? null);
      }
      return true;
    }
    const [payer = '', payerBefore = null] = [keys[0], before[0]];
    // A payer without funds looks like a runtime error, but costs nothing.
    const ran = typeof err === 'object' && this.#base.engine.account(payer)?.lamports !== payerBefore?.lamports;
    if (!ran && !FEE_ONLY_ERRORS.has(err)) return false;
    this.#chargeFee(payer, payerBefore, fee);
    this.#advanceNonce(message, keys, before);
    return true;
  }

  /** A changed nonce gets a validator's value. */
  #takeOver(key: Address, before: Account | null): void {
    const raw = this.#base.engine.account(key);
    const nonce = parseNonce(raw)?.nonce;
    const stale = raw !== null && nonce !== undefined && nonce !== parseNonce(before)?.nonce;
    const after = stale ? withNonce(raw, this.#base.nextNonce) : raw;
    if (stale) this.#base.engine.setAccount(key, after);
    if (!sameAccount(before, after)) this.#overlay.set(key, after);
  }

  #write(key: Address, account: Account | null): void {
    this.#base.engine.setAccount(key, account);
    this.#overlay.set(key, account);
  }

  #chargeFee(payer: Address, before: Account | null, fee: bigint): void {
    if (!before) return;
    const lamports = before.lamports - fee;
    this.#write(payer, lamports > 0n ? { ...before, lamports } : null);
  }

  /** A failed durable-nonce transaction uses its nonce up; the engine would not. */
  #advanceNonce(
    message: WireTransaction['message'],
    keys: readonly Address[],
    before: readonly (Account | null)[],
  ): void {
    const address = nonceAccountOf(message);
    if (address === null || parseNonce(before[keys.indexOf(address)] ?? null)?.nonce !== message.blockhash) return;
    const account = this.read(address);
    if (account) this.#write(address, withNonce(account, this.#base.nextNonce));
  }

  #refused(transaction: WireTransaction, err: TransactionError, loaded: LoadedAddresses): Run {
    const keys = accountKeys(transaction.message, loaded);
    const before = keys.map((key) => this.read(key));
    const execution = { err, ...REFUSED };
    const none = { before, after: before, tokensBefore: [], tokensAfter: [] };
    return { transaction, execution, landed: false, fee: 0n, keys, loaded, ...none };
  }
}
