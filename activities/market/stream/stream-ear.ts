import { PublicKey } from '@solana/web3.js';
import { fingerprint } from '../../../chain/market/pool-changes.ts';
import type { StreamEvent } from '../../../chain/stream/chain-stream.ts';
import { unpackTokenMint } from '../../../chain/tokens/unpack-mint.ts';
import { SlotBook } from '../../../domain/market/slot-book.ts';
import type { WatchList } from './watch-list.ts';

type TransactionEvent = Extract<StreamEvent, { kind: 'transaction' }>;

/** A transaction that was heard of, with the time of its block. */
export interface HeardTransaction {
  readonly event: TransactionEvent;
  /** Pools whose base vault it mentions. */
  readonly pools: readonly string[];
  /** Unix time in seconds. */
  readonly blockTime: number;
}

/** A transaction that wrote a pool's account, and that was not told of. */
export interface MissingTransaction {
  readonly pool: string;
  readonly slot: number;
  readonly signature: string;
}

interface Waiting {
  readonly event: TransactionEvent;
  readonly pools: readonly string[];
  readonly since: number;
}

/** An account is told of beside the transaction that wrote it; one that comes without it for so long lost it, ms. */
const MISSED_AFTER_MS = 500;
/** A block is told of right after its transactions; one that is not for so long was lost, ms. */
const UNTIMED_AFTER_MS = 3_000;
/** Signatures are remembered for so many slots beyond finality. */
const KEPT_SLOTS = 200;

/** Takes in what a stream tells, until it is asked what there is. */
export class StreamEar {
  readonly book = new SlotBook();
  /** Supplies of mints, raw units, as the stream told them or somebody read them since it is whole. */
  readonly supplies = new Map<string, bigint>();
  readonly #list: () => WatchList;
  readonly #now: () => number;
  readonly #heard = new Map<number, Set<string>>();
  readonly #missed = new Map<string, MissingTransaction & { readonly since: number }>();
  readonly #times = new Map<number, number>();
  #waiting: Waiting[] = [];
  readonly #seen = new Map<string, { readonly slot: number; readonly hash: string | null }>();
  #dead = new Set<number>();
  #updates = 0;
  #tip = -1;

  /** @param now ms, of any clock that only goes on */
  constructor(list: () => WatchList, now: () => number) {
    this.#list = list;
    this.#now = now;
  }

  /** The newest block that was told of; -1 before one was. */
  get tip(): number {
    return this.#tip;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** The oldest slot of which a transaction waits; null without one. */
  get oldestWaiting(): number | null {
    return this.#waiting.length === 0 ? null : Math.min(...this.#waiting.map(({ event }) => event.slot));
  }

  takeUpdates(): number {
    const updates = this.#updates;
    this.#updates = 0;
    return updates;
  }

  hear(event: StreamEvent): void {
    this.#updates++;
    if (event.kind === 'transaction') this.#hearTransaction(event);
    else if (event.kind === 'account') this.#hearAccount(event);
    else if (event.kind === 'block') this.#hearBlock(event);
    else if (event.status === 'finalized') this.#hearFinal(event.slot);
    else if (event.status === 'dead') this.#hearDead(event.slot);
  }

  /** Somebody read when a block was made. */
  noteTime(slot: number, blockTime: number): void {
    this.#times.set(slot, blockTime);
  }

  /** What lies between two streams was not heard. */
  noteHole(): void {
    this.supplies.clear();
  }

  /** Transactions whose blocks are known, in the order in which they were told. */
  takeReady(): HeardTransaction[] {
    const ready: HeardTransaction[] = [];
    this.#waiting = this.#waiting.filter(({ event, pools }) => {
      const blockTime = this.#timeOf(event.slot);
      if (blockTime !== null) ready.push({ event, pools, blockTime });
      return blockTime === null;
    });
    return ready;
  }

  /** Slots of transactions whose blocks were not told of for too long. */
  untimed(): number[] {
    const before = this.#now() - UNTIMED_AFTER_MS;
    const late = this.#waiting.filter(({ event, since }) => since < before && this.#timeOf(event.slot) === null);
    return [...new Set(late.map(({ event }) => event.slot))];
  }

  /** Transactions that were missed; each is answered once. */
  takeMissed(): MissingTransaction[] {
    const before = this.#now() - MISSED_AFTER_MS;
    const missed = [...this.#missed.values()].filter(({ since }) => since < before);
    for (const { signature, slot } of missed) {
      this.#missed.delete(signature);
      this.#remember(slot, signature);
    }
    return missed;
  }

  /** How pool accounts look that were written since the last time, by pool. */
  takeSeen(): ReadonlyMap<string, string | null> {
    // As soon as the transactions of that slot are taken, and not before.
    const told = [...this.#seen].filter(([, { slot }]) => slot <= this.#tip);
    for (const [pool] of told) this.#seen.delete(pool);
    return new Map(told.map(([pool, { hash }]) => [pool, hash]));
  }

  /** Slots that died since the last time. */
  takeDead(): ReadonlySet<number> {
    const dead = this.#dead;
    this.#dead = new Set();
    return dead;
  }

  #timeOf(slot: number): number | null {
    return this.book.blockTime(slot) ?? this.#times.get(slot) ?? null;
  }

  #hearTransaction(event: TransactionEvent): void {
    const { response, slot, signature } = event;
    const { message } = response.transaction;
    const keys = message.getAccountKeys({ accountKeysFromLookups: response.meta?.loadedAddresses });
    const pools = keys
      .keySegments()
      .flat()
      .flatMap((key) => this.#list().poolOfVault(key.toBase58()) ?? []);
    this.#remember(slot, signature);
    this.#missed.delete(signature);
    if (pools.length > 0) this.#waiting.push({ event, pools: [...new Set(pools)], since: this.#now() });
  }

  #hearAccount({ address, account, slot, signature }: Extract<StreamEvent, { kind: 'account' }>): void {
    const list = this.#list();
    if (list.has(address)) {
      this.#seen.set(address, { slot, hash: fingerprint(account) });
      if (signature !== null && this.#heard.get(slot)?.has(signature) !== true) {
        this.#missed.set(signature, { pool: address, slot, signature, since: this.#now() });
      }
    }
    // The stand-in's pools are mints themselves.
    if (!list.isMint(address)) return;
    const unpacked = unpackTokenMint(new PublicKey(address), account);
    if (unpacked) this.supplies.set(address, unpacked.mint.supply);
  }

  #hearBlock({ slot, parent, blockTime }: Extract<StreamEvent, { kind: 'block' }>): void {
    this.book.noteBlock({ slot, parent, blockTime });
    this.#tip = Math.max(this.#tip, slot);
  }

  #hearFinal(slot: number): void {
    this.book.noteFinal(slot);
    for (const timed of this.#times.keys()) if (timed < slot - KEPT_SLOTS) this.#times.delete(timed);
    for (const heard of this.#heard.keys()) if (heard < slot - KEPT_SLOTS) this.#heard.delete(heard);
  }

  #hearDead(slot: number): void {
    this.#dead.add(slot);
    this.book.forget(slot);
    this.#heard.delete(slot);
    this.#waiting = this.#waiting.filter(({ event }) => event.slot !== slot);
    for (const missed of [...this.#missed.values()]) if (missed.slot === slot) this.#missed.delete(missed.signature);
  }

  #remember(slot: number, signature: string): void {
    const heard = this.#heard.get(slot) ?? new Set();
    this.#heard.set(slot, heard.add(signature));
  }
}
