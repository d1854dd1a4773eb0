import * as marketStream from '../../../../db/market/market-stream.ts';
import { pollPools } from '../../poll-pools.ts';
import type { Line } from '../line.ts';
import type { Connection } from './connection.ts';

const MOST_A_TURN = 100;
const LONGEST_PAUSE_MS = 60_000;
/** Slots within which a server applies a changed subscription. */
const ASKED_WITHIN_SLOTS = 16;

/** Takes pools of new launches into the watch list. */
export class NewPools {
  readonly #line: Line;
  readonly #connection: Connection;
  #dueAt = 0;
  /** Pools that are not on the chain, and when they are read again. */
  readonly #absent = new Map<string, { readonly at: number; readonly pauseMs: number }>();
  /** Pools that may have traded before the changed subscription applied, which it does at the slot. */
  #subscribing: { readonly slot: number; readonly pools: readonly string[] }[] = [];

  constructor(line: Line, connection: Connection) {
    this.#line = line;
    this.#connection = connection;
  }

  /** Has new pools read again once the changed subscription applies. */
  async requireSubscribed(): Promise<void> {
    const { observing, pools, rereads } = this.#line;
    const { tip } = observing.blocks;
    const due = this.#subscribing.filter(({ slot }) => slot <= tip);
    this.#subscribing = this.#subscribing.filter(({ slot }) => slot > tip);
    for (const { slot, pools: fresh } of due) {
      await pools.load(fresh);
      for (const pool of fresh) rereads.require(pool, slot);
    }
  }

  /** @param allReadAt when the database last reported that there are no new pools, ms */
  async followInTime(allReadAt: number): Promise<void> {
    const { everyMs } = this.#line.deps.settings;
    const now = this.#line.now();
    if (now < Math.max(this.#dueAt, allReadAt + everyMs)) return;
    this.#dueAt = now + everyMs;
    await this.#follow(now);
  }

  async #follow(now: number): Promise<void> {
    const { deps, observing, rereads } = this.#line;
    const unread = await marketStream.unread(deps.db, MOST_A_TURN);
    const due = unread.filter((pool) => (this.#absent.get(pool)?.at ?? 0) <= now);
    if (due.length === 0) return;
    await pollPools(deps, due);
    const found = await marketStream.poolsOf(deps.db, due);
    const pools = found.map(({ pool }) => pool);
    this.#noteAbsent(due, new Set(pools), now);
    if (pools.length === 0) return;
    for (const one of found) observing.list.add(one);
    this.#connection.change(observing.list.wanted());
    await rereads.requireChanged(pools);
    this.#subscribing.push({ slot: observing.blocks.tip + ASKED_WITHIN_SLOTS, pools });
  }

  /** A fork removed them, or they are not on the chain yet. */
  #noteAbsent(read: readonly string[], found: ReadonlySet<string>, now: number): void {
    for (const pool of read) {
      const before = this.#absent.get(pool)?.pauseMs ?? this.#line.deps.settings.everyMs;
      const pauseMs = Math.min(2 * before, LONGEST_PAUSE_MS);
      if (found.has(pool)) this.#absent.delete(pool);
      else this.#absent.set(pool, { at: now + pauseMs, pauseMs });
    }
  }
}
