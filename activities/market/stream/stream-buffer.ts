import { PublicKey, type VersionedTransactionResponse } from '@solana/web3.js';
import type { AccountPart } from '../../../chain/exchange/exchange.ts';
import { fingerprint } from '../../../chain/market/pool-changes.ts';
import type { StreamEvent } from '../../../chain/stream/chain-stream.ts';
import { unpackTokenMint } from '../../../chain/tokens/unpack-mint.ts';
import type { HeldAccount } from '../../../db/held-accounts.ts';
import { SlotBook } from '../../../domain/market/slot-book.ts';
import type { Pulse } from './pulse.ts';
import type { WatchList } from './watch-list.ts';

type TransactionEvent = Extract<StreamEvent, { kind: 'transaction' }>;

export interface ReceivedTransaction {
  readonly event: TransactionEvent;
  /** Pools whose base vault the transaction names. */
  readonly pools: readonly string[];
  /** Unix seconds. */
  readonly blockTime: number;
}

export interface MissingTransaction {
  readonly pool: string;
  readonly slot: number;
  readonly signature: string;
}

export interface SeenAccount {
  readonly slot: number;
  readonly hash: string | null;
}

interface Waiting {
  readonly event: TransactionEvent;
  readonly pools: readonly string[];
  readonly since: number;
}

/** If an account update stays without its transaction this long, the transaction was lost, ms. */
const MISSED_AFTER_MS = 500;
/** A block that is this late was lost, ms. */
const UNTIMED_AFTER_MS = 3_000;
const LONGEST_PAUSE_MS = 60_000;
/** Slots kept beyond finality. */
const KEPT_SLOTS = 200;
/** If more accounts were reported, all are forgotten and reported again. */
const MOST_REPORTED_ACCOUNTS = 200_000;

export class StreamBuffer {
  readonly book = new SlotBook();
  /** Supplies that were reported since the last hole, raw units. */
  readonly supplies = new Map<string, bigint>();
  readonly #list: () => WatchList;
  readonly #part: AccountPart;
  readonly #now: () => number;
  readonly #heard = new Map<number, Set<string>>();
  readonly #missed = new Map<string, Map<string, MissingTransaction & { readonly since: number }>>();
  readonly #timesAsked = new Map<number, { readonly at: number; readonly pauseMs: number }>();
  readonly #times = new Map<number, number>();
  #waiting: Waiting[] = [];
  readonly #seen = new Map<string, SeenAccount>();
  #dead = new Set<number>();
  #lost = new Map<string, number>();
  #touched: Set<string> | null = null;
  readonly #toldAccounts = new Set<string>();
  #newAccounts: HeldAccount[] = [];
  #updates = 0;
  #tip = -1;
  #tipToldAt = Number.NEGATIVE_INFINITY;

  /**
   * @param part of a pool's account that swaps change
   * @param now monotonic clock, ms
   */
  constructor(list: () => WatchList, part: AccountPart, now: () => number) {
    this.#list = list;
    this.#part = part;
    this.#now = now;
  }

  /** -1 before the first block. */
  get tip(): number {
    return this.#tip;
  }

  get pulse(): Pulse {
    const blockTime = this.book.blockTime(this.#tip);
    const madeAt = blockTime === null ? null : 1_000 * blockTime;
    return { tip: this.#tip, madeAt, toldAt: this.#tipToldAt, finalized: this.book.finalized };
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Returns the oldest slot of a waiting or missed transaction, per pool. */
  oldestOpen(): ReadonlyMap<string, number> {
    const oldest = new Map<string, number>();
    const note = (pool: string, slot: number) => oldest.set(pool, Math.min(oldest.get(pool) ?? slot, slot));
    for (const { event, pools } of this.#waiting) for (const pool of pools) note(pool, event.slot);
    for (const { pool, slot } of this.#allMissed()) note(pool, slot);
    return oldest;
  }

  takeUpdates(): number {
    const updates = this.#updates;
    this.#updates = 0;
    return updates;
  }

  receive(event: Exclude<StreamEvent, { kind: 'unreadable' }>): void {
    this.#updates++;
    if (event.kind === 'transaction') this.#receiveTransaction(event);
    else if (event.kind === 'account') this.#receiveAccount(event);
    else if (event.kind === 'block') this.#receiveBlock(event);
    else if (event.status === 'finalized') this.#receiveFinal(event.slot);
    else if (event.status === 'dead') this.#receiveDead(event.slot);
  }

  noteTime(slot: number, blockTime: number): void {
    this.#times.set(slot, blockTime);
  }

  noteAccounts({ slot, transaction: { message }, meta }: VersionedTransactionResponse): void {
    const list = this.#list();
    const balances = (meta?.postTokenBalances ?? []).filter(
      ({ mint, uiTokenAmount }) => list.isRewardMint(mint) && uiTokenAmount.amount !== '0',
    );
    if (balances.length === 0) return;
    const keys = message.getAccountKeys({ accountKeysFromLookups: meta?.loadedAddresses });
    for (const { mint, accountIndex } of balances) {
      const account = keys.get(accountIndex);
      if (account) this.#noteAccount({ mint, account: account.toBase58(), slot });
    }
  }

  /** Notes that the stream lost data: supplies may be outdated. */
  noteHole(): void {
    this.supplies.clear();
    const waiting = this.#waiting.flatMap(({ pools }) => pools);
    this.#touched = new Set([...(this.#touched ?? []), ...this.#seen.keys(), ...waiting]);
  }

  /** Returns the pools touched in the hole: their current state does not reveal what happened. */
  touchedSinceHole(): readonly string[] {
    return [...(this.#touched ?? [])];
  }

  closeHole(): void {
    this.#touched = null;
  }

  takeReady(): ReceivedTransaction[] {
    const ready: ReceivedTransaction[] = [];
    this.#waiting = this.#waiting.filter(({ event, pools }) => {
      const blockTime = this.#timeOf(event.slot);
      if (blockTime !== null) ready.push({ event, pools, blockTime });
      return blockTime === null;
    });
    return ready;
  }

  untimed(): number[] {
    const now = this.#now();
    const late = this.#waiting.filter(
      ({ event, since }) => since < now - UNTIMED_AFTER_MS && this.#timeOf(event.slot) === null,
    );
    const slots = [...new Set(late.map(({ event }) => event.slot))];
    const due = slots.filter((slot) => (this.#timesAsked.get(slot)?.at ?? 0) <= now);
    for (const slot of due) {
      const pauseMs = Math.min(2 * (this.#timesAsked.get(slot)?.pauseMs ?? UNTIMED_AFTER_MS / 2), LONGEST_PAUSE_MS);
      this.#timesAsked.set(slot, { at: now + pauseMs, pauseMs });
    }
    return due;
  }

  /** Returns missed transactions, each once. */
  takeMissed(): MissingTransaction[] {
    const before = this.#now() - MISSED_AFTER_MS;
    const missed = this.#allMissed().filter(({ since }) => since < before);
    for (const { signature, slot, pool } of missed) {
      this.#forgetMissed(signature, pool);
      this.#remember(slot, askedKey(signature, pool));
    }
    return missed;
  }

  takeLost(): ReadonlyMap<string, number> {
    const { finalized } = this.book;
    const isLost = ({ event: { slot } }: Waiting): boolean =>
      this.#timeOf(slot) === null && (this.book.fateOf(slot) === 'gone' || slot < finalized - KEPT_SLOTS);
    const lost = this.#waiting.filter(isLost);
    if (lost.length > 0) this.#waiting = this.#waiting.filter((waiting) => !isLost(waiting));
    for (const { event, pools } of lost) {
      for (const pool of pools) this.#lost.set(pool, Math.max(this.#lost.get(pool) ?? 0, event.slot));
    }
    const taken = this.#lost;
    this.#lost = new Map();
    return taken;
  }

  takeSeen(): ReadonlyMap<string, SeenAccount> {
    // Not beyond the tip: a slot's transactions are taken before its accounts.
    const told = [...this.#seen].filter(([, { slot }]) => slot <= this.#tip);
    for (const [pool] of told) this.#seen.delete(pool);
    return new Map(told);
  }

  takeAccounts(): readonly HeldAccount[] {
    const accounts = this.#newAccounts;
    this.#newAccounts = [];
    return accounts;
  }

  untakenSlots(): number[] {
    return [...this.#newAccounts, ...this.#seen.values()].map(({ slot }) => slot);
  }

  takeDead(): ReadonlySet<number> {
    const dead = this.#dead;
    this.#dead = new Set();
    return dead;
  }

  #timeOf(slot: number): number | null {
    return this.book.blockTime(slot) ?? this.#times.get(slot) ?? null;
  }

  #receiveTransaction(event: TransactionEvent): void {
    const { response, slot, signature } = event;
    const { message } = response.transaction;
    const keys = message.getAccountKeys({ accountKeysFromLookups: response.meta?.loadedAddresses });
    const pools = keys
      .keySegments()
      .flat()
      .flatMap((key) => this.#list().poolOfVault(key.toBase58()) ?? []);
    this.#remember(slot, signature);
    this.#missed.delete(signature);
    this.noteAccounts(response);
    if (pools.length === 0) return;
    for (const pool of pools) this.#touched?.add(pool);
    this.#waiting.push({ event, pools: [...new Set(pools)], since: this.#now() });
  }

  #noteAccount(seen: HeldAccount): void {
    const key = `${seen.mint}/${seen.account}`;
    if (this.#toldAccounts.has(key)) return;
    if (this.#toldAccounts.size >= MOST_REPORTED_ACCOUNTS) this.#toldAccounts.clear();
    this.#toldAccounts.add(key);
    this.#newAccounts.push(seen);
  }

  #receiveAccount({ address, account, slot, signature }: Extract<StreamEvent, { kind: 'account' }>): void {
    const list = this.#list();
    if (list.has(address)) {
      this.#touched?.add(address);
      this.#seen.set(address, { slot, hash: fingerprint(account, this.#part) });
      if (signature !== null) this.#expect({ pool: address, slot, signature });
    }
    // On the local exchange a pool's account is a mint.
    if (!list.isMint(address)) return;
    const unpacked = unpackTokenMint(new PublicKey(address), account);
    if (unpacked) this.supplies.set(address, unpacked.mint.supply);
  }

  #expect(missing: MissingTransaction): void {
    const { signature, pool, slot } = missing;
    const heard = this.#heard.get(slot);
    if (heard?.has(signature) === true || heard?.has(askedKey(signature, pool)) === true) return;
    const byPool = this.#missed.get(signature) ?? new Map<string, MissingTransaction & { readonly since: number }>();
    this.#missed.set(signature, byPool.set(pool, { ...missing, since: this.#now() }));
  }

  #allMissed(): (MissingTransaction & { readonly since: number })[] {
    return [...this.#missed.values()].flatMap((byPool) => [...byPool.values()]);
  }

  #forgetMissed(signature: string, pool: string): void {
    const byPool = this.#missed.get(signature);
    byPool?.delete(pool);
    if (byPool?.size === 0) this.#missed.delete(signature);
  }

  #receiveBlock({ slot, parent, blockTime }: Extract<StreamEvent, { kind: 'block' }>): void {
    this.book.noteBlock({ slot, parent, blockTime });
    if (slot > this.#tip) [this.#tip, this.#tipToldAt] = [slot, this.#now()];
  }

  #receiveFinal(slot: number): void {
    this.book.noteFinal(slot);
    for (const timed of this.#times.keys()) if (timed < slot - KEPT_SLOTS) this.#times.delete(timed);
    for (const heard of this.#heard.keys()) if (heard < slot - KEPT_SLOTS) this.#heard.delete(heard);
    for (const asked of this.#timesAsked.keys()) if (asked < slot - KEPT_SLOTS) this.#timesAsked.delete(asked);
  }

  #receiveDead(slot: number): void {
    this.#dead.add(slot);
    this.book.forget(slot);
    this.#heard.delete(slot);
    for (const { event, pools } of this.#waiting) {
      if (event.slot === slot)
        for (const pool of pools) this.#lost.set(pool, Math.max(this.#lost.get(pool) ?? 0, slot));
    }
    this.#waiting = this.#waiting.filter(({ event }) => event.slot !== slot);
    for (const missed of this.#allMissed()) {
      if (missed.slot === slot) this.#forgetMissed(missed.signature, missed.pool);
    }
  }

  #remember(slot: number, signature: string): void {
    const heard = this.#heard.get(slot) ?? new Set();
    this.#heard.set(slot, heard.add(signature));
  }
}

function askedKey(signature: string, pool: string): string {
  return `${signature}/${pool}`;
}
