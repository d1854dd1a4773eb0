import { ACCOUNTS_PER_CALL } from '../../../chain/market/pool-changes.ts';
import { quoteAfter } from '../../../chain/market/pool-swaps.ts';
import * as marketStream from '../../../db/market/market-stream.ts';
import type { SettledSpan } from '../../../db/market/swaps.ts';
import { batchesOf } from '../../../domain/batches.ts';
import type { FinalizedVault } from '../settle.ts';
import { type FinalSpan, settledSpans } from '../settled-span.ts';
import { lowest } from './extremes.ts';
import { type FollowedPool, isDue, keyOf, vaultOf } from './followed-pools.ts';
import type { FollowState } from './follow-state.ts';
import { readVaults, readVaultsAgreed } from './pool-history.ts';
import { forgetUnpriced, priceTails } from './pricing.ts';
import { isPrompt, isSelfConsistent } from './pulse.ts';

/** Pools per turn, after which received data is processed. */
const POOLS_A_TURN = 100;

/** Rounds between finality polls of a prompt stream. */
const ASK_EVERY_ROUNDS = 3;

interface Round {
  /** By a quorum. */
  readonly finalized: number;
  readonly due: string[];
  readonly vaults: ReadonlyMap<string, FinalizedVault>;
}

export class Settling {
  readonly #state: FollowState;
  #at = Number.NEGATIVE_INFINITY;
  #askedAt = Number.NEGATIVE_INFINITY;
  #isReading = false;
  #round: Round | null = null;
  /** Slot to record as followed, with the next settlement or by itself; null: none. */
  #followed: number | null = null;

  constructor(state: FollowState) {
    this.#state = state;
  }

  async settleInTime(): Promise<void> {
    const { settings } = this.#state.deps;
    if (this.#round !== null) await this.#goOn(this.#round);
    else if (!this.#isReading && performance.now() - this.#at >= settings.settleEveryMs) void this.#begin();
  }

  async #begin(): Promise<void> {
    this.#at = performance.now();
    this.#isReading = true;
    try {
      this.#round = await this.#readRound();
    } finally {
      this.#isReading = false;
    }
  }

  async #readRound(): Promise<Round | null> {
    const { deps, buffer, pools, finality } = this.#state;
    // The stream decides what to ask for, RPC what is settled.
    const told = Math.max(finality.final, buffer.book.finalized);
    const due = pools.all().filter((pool) => isDue(pool, told));
    if (due.length === 0 && !this.#hasToAsk()) return this.#followed === null ? null : this.#emptyRound();
    const [first, ...others] = batchesOf(due.map(vaultOf), ACCOUNTS_PER_CALL);
    try {
      const { finalized, vaults } = first ? await readVaultsAgreed(deps, first) : await this.#readFinal();
      finality.noteFinal(finalized);
      this.#askedAt = performance.now();
      const known = new Map([...vaults, ...(await this.#vaultsOf(others.flat()))]);
      const settling = due.filter((pool) => isDue(pool, known.get(pool.cursor.pool)?.slot ?? -1));
      return { finalized, due: settling.map(({ cursor }) => cursor.pool), vaults: known };
    } catch (error) {
      deps.logger.warn({ err: error }, 'how far the chain is final could not be read; it is settled later');
      return null;
    }
  }

  async #readFinal(): Promise<{ finalized: number; vaults: ReadonlyMap<string, FinalizedVault> }> {
    return { finalized: (await this.#state.deps.rpc.agreedHead('finalized')).slot, vaults: new Map() };
  }

  /** A round without pools, which only records the progress of an earlier one. Makes no RPC call. */
  #emptyRound(): Round {
    return { finalized: this.#state.finality.final, due: [], vaults: new Map() };
  }

  /**
   * True if a round without due pools must ask RPC for finality. With a prompt stream that lost nothing, one round in
   * `ASK_EVERY_ROUNDS` asks. None asks while the stream is self-consistent and could replay everything unsettled.
   * Otherwise every round does.
   */
  #hasToAsk(): boolean {
    const { deps, rereads, buffer, finality } = this.#state;
    const moment = { unixMs: deps.now().getTime(), now: performance.now() };
    const { pulse } = buffer;
    const isWell = finality.isStreamLive && rereads.isWhole && isPrompt(pulse, moment.unixMs);
    if (isWell && finality.said !== null && isSelfConsistent(pulse, finality.said, moment)) {
      finality.presume(pulse.finalized);
      if (pulse.tip - finality.settled <= finality.leeway) return false;
    }
    const every = deps.settings.settleEveryMs * (isWell ? ASK_EVERY_ROUNDS : 1);
    return moment.now - this.#askedAt >= every;
  }

  async #goOn({ finalized, due, vaults }: Round): Promise<void> {
    const { deps, buffer, pools, prices } = this.#state;
    const turn = due.splice(0, POOLS_A_TURN).flatMap((address) => pools.get(address) ?? []);
    const unpriced = turn.filter(forgetUnpriced);
    prices.want(unpriced.map(({ cursor }) => cursor.quoteMint));
    await priceTails(this.#state, unpriced);
    const oldestOpen = buffer.oldestOpen();
    const finals = turn.flatMap((pool) => {
      const { cursor } = pool;
      return this.#spanOf(pool, vaults.get(cursor.pool), oldestOpen.get(cursor.pool) ?? Infinity) ?? [];
    });
    const spans = await settledSpans(deps, finals);
    const settled = await marketStream.settleAll(deps.db, spans, this.#followed);
    if (settled.pools.size > 0) this.#followed = null;
    deps.meters.swapsStored(settled.stored);
    for (const span of spans) {
      const pool = pools.get(span.pool);
      if (pool) await this.#noteSettled(pool, settled.pools.has(span.pool), span);
    }
    if (due.length > 0) return;
    this.#round = null;
    this.#noteFollowed(finalized);
    if (this.#followed === null || settled.pools.size > 0) return;
    await marketStream.noteFollowed(deps.db, this.#followed);
    this.#followed = null;
  }

  async #vaultsOf(pools: readonly ReturnType<typeof vaultOf>[]): Promise<ReadonlyMap<string, FinalizedVault>> {
    const { deps } = this.#state;
    try {
      return await readVaults(deps, pools);
    } catch (error) {
      const said = { err: error, pools: pools.length };
      deps.logger.warn(said, 'vaults could not be read; what is final is settled later');
      return new Map();
    }
  }

  async #noteSettled(pool: FollowedPool, isOurs: boolean, span: SettledSpan): Promise<void> {
    const { pools } = this.#state;
    pool.attempts = 0;
    pool.nextAttempt = 0;
    if (isOurs) pools.moveTo(pool, Number(span.untilSlot), span);
    else await pools.reload(pool);
  }

  /** Null if the pool cannot be settled now. If the vault holds another balance, queues the pool to be read again. */
  #spanOf(pool: FollowedPool, vault: FinalizedVault | undefined, oldestOpen: number): FinalSpan | null {
    const { buffer, rereads, finality } = this.#state;
    const { cursor, tail, rows, inherited } = pool;
    if (!vault || vault.slot <= tail.start.slot || rereads.has(cursor.pool)) return null;
    if (!finality.isStreamLive) {
      // A silent stream may not have reported everything up to that balance.
      rereads.require(cursor.pool, 0);
      return null;
    }
    if (!rereads.isWhole || vault.slot > buffer.tip || oldestOpen <= vault.slot) return null;
    const isInherited = [...inherited.values()]
      .flat()
      .some((row) => row.slot <= BigInt(vault.slot) && !tail.has(row.signature));
    const isLoose = tail.loose.some(({ slot }) => slot <= vault.slot);
    if (tail.rawAt(vault.slot) !== vault.raw || isInherited || isLoose) {
      rereads.require(cursor.pool, 0);
      if (isInherited) inherited.clear();
      return null;
    }
    const steps = tail.linked.filter(({ slot }) => slot <= vault.slot);
    const span = {
      fromSlot: BigInt(tail.start.slot),
      untilSlot: BigInt(vault.slot),
      baseRaw: vault.raw,
      quoteRaw: quoteAfter(steps, cursor.quoteRaw),
      swaps: steps.flatMap((step) => rows.get(keyOf(step)) ?? []),
    };
    return { cursor, span };
  }

  /** Notes the slot up to which nothing is unsettled or unstored: a restarted stream can begin after it. */
  #noteFollowed(finalized: number): void {
    const { buffer, pools, rereads, finality } = this.#state;
    const told = rereads.isWhole ? buffer.tip : -1;
    const open = pools.all().filter(({ cursor }) => cursor.gap === null);
    if (open.some(({ cursor }) => rereads.has(cursor.pool))) return;
    const pending = open.flatMap(({ tail, changedSlot }) => [
      ...tail.steps.map(({ slot }) => slot),
      ...(changedSlot === null ? [] : [changedSlot]),
    ]);
    const first = lowest([...pending, ...buffer.oldestOpen().values(), ...buffer.untakenSlots()]) ?? Infinity;
    const settled = Math.min(finalized, Math.max(told, finality.compared), first - 1);
    if (settled <= finality.settled) return;
    finality.settled = settled;
    this.#followed = settled;
  }
}
