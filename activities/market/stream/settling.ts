import { ACCOUNTS_PER_CALL } from '../../../chain/market/pool-changes.ts';
import { quoteAfter } from '../../../chain/market/pool-swaps.ts';
import * as marketStream from '../../../db/market/market-stream.ts';
import type { SettledSpan } from '../../../db/market/swaps.ts';
import { batchesOf } from '../../../domain/batches.ts';
import type { FinalizedVault } from '../settle.ts';
import { settledSpan } from '../settled-span.ts';
import { lowest } from './extremes.ts';
import { type FollowedPool, isDue, keyOf, vaultOf } from './followed-pools.ts';
import type { Following } from './following.ts';
import { readVaults, readVaultsAgreed } from './pool-history.ts';
import { forgetUnpriced, priceTails } from './pricing.ts';
import { isPrompt, speaksForItself } from './pulse.ts';

/** Pools that are settled before what was told meanwhile has its turn. */
const POOLS_A_TURN = 100;

/** While there is nothing to settle it is asked every so many rounds how far the chain is final, of a stream that is prompt and no more. */
const ASK_EVERY_ROUNDS = 3;

/** What is settled, turn by turn. */
interface Round {
  /** How far the chain is final. */
  readonly finalized: number;
  /** Pools that are left. */
  readonly due: string[];
  readonly vaults: ReadonlyMap<string, FinalizedVault>;
}

/** Settles what no fork can take any more, where the vaults hold what the transactions leave in them. */
export class Settling {
  readonly #following: Following;
  #at = Number.NEGATIVE_INFINITY;
  #askedAt = Number.NEGATIVE_INFINITY;
  #isReading = false;
  #round: Round | null = null;
  /** How far it was followed, where that is not noted yet: with the next that is settled, or when nothing is. */
  #followed: number | null = null;

  constructor(following: Following) {
    this.#following = following;
  }

  /** Begins a round where it is time to, which is read while others have their turns, or goes on with the one that was begun. */
  async settleInTime(): Promise<void> {
    const { settings } = this.#following.deps;
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

  /** Null where there is nothing to settle, or where nobody said how far the chain is final. */
  async #readRound(): Promise<Round | null> {
    const { deps, ear, pools, reach } = this.#following;
    // The stream's word says what to ask for, RPC's what is settled.
    const told = Math.max(reach.final, ear.book.finalized);
    const due = pools.all().filter((pool) => isDue(pool, told));
    if (due.length === 0 && !this.#hasToAsk()) return this.#followed === null ? null : this.#roundOfNothing();
    const [first, ...others] = batchesOf(due.map(vaultOf), ACCOUNTS_PER_CALL);
    try {
      const { finalized, vaults } = first ? await readVaultsAgreed(deps, first) : await this.#readFinal();
      reach.noteFinal(finalized);
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
    return { finalized: (await this.#following.deps.rpc.agreedHead('finalized')).slot, vaults: new Map() };
  }

  /** Settles nothing: what an earlier round came to is noted, and nobody is asked. */
  #roundOfNothing(): Round {
    return { finalized: this.#following.reach.final, due: [], vaults: new Map() };
  }

  /**
   * Whether it is time to ask how far the chain is final: in every round but while a stream without a hole is prompt, and not at all
   * while it speaks for itself and could tell of all again that is not settled.
   */
  #hasToAsk(): boolean {
    const { deps, doubts, ear, reach } = this.#following;
    const moment = { unixMs: deps.now().getTime(), now: performance.now() };
    const { pulse } = ear;
    const isWell = reach.isTelling && doubts.isWhole && isPrompt(pulse, moment.unixMs);
    if (isWell && reach.said !== null && speaksForItself(pulse, reach.said, moment)) {
      reach.presume(pulse.finalized);
      if (pulse.tip - reach.settled <= reach.leeway) return false;
    }
    const every = deps.settings.settleEveryMs * (isWell ? ASK_EVERY_ROUNDS : 1);
    return moment.now - this.#askedAt >= every;
  }

  async #goOn({ finalized, due, vaults }: Round): Promise<void> {
    const { deps, ear, pools, prices } = this.#following;
    const turn = due.splice(0, POOLS_A_TURN).flatMap((address) => pools.get(address) ?? []);
    const unpriced = turn.filter(forgetUnpriced);
    prices.want(unpriced.map(({ cursor }) => cursor.quoteMint));
    await priceTails(this.#following, unpriced);
    const oldestOpen = ear.oldestOpen();
    const spans = turn.flatMap((pool) => {
      const { cursor } = pool;
      return this.#spanOf(pool, vaults.get(cursor.pool), oldestOpen.get(cursor.pool) ?? Infinity) ?? [];
    });
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
    const { deps } = this.#following;
    try {
      return await readVaults(deps, pools);
    } catch (error) {
      const said = { err: error, pools: pools.length };
      deps.logger.warn(said, 'vaults could not be read; what is final is settled later');
      return new Map();
    }
  }

  async #noteSettled(pool: FollowedPool, isOurs: boolean, span: SettledSpan): Promise<void> {
    const { pools } = this.#following;
    pool.attempts = 0;
    pool.nextAttempt = 0;
    if (isOurs) pools.moveTo(pool, Number(span.untilSlot), span);
    else await pools.reload(pool);
  }

  /** What is settled of a pool; null where its vault holds something else, and its history is read. */
  #spanOf(pool: FollowedPool, vault: FinalizedVault | undefined, oldestOpen: number): SettledSpan | null {
    const { ear, doubts, reach } = this.#following;
    const { cursor, tail, rows, inherited } = pool;
    if (!vault || vault.slot <= tail.start.slot || doubts.isDoubted(cursor.pool)) return null;
    if (!reach.isTelling) {
      // Nobody told of everything that led there.
      doubts.doubt(cursor.pool, 0);
      return null;
    }
    if (!doubts.isWhole || vault.slot > ear.tip || oldestOpen <= vault.slot) return null;
    const isInherited = [...inherited.values()]
      .flat()
      .some((row) => row.slot <= BigInt(vault.slot) && !tail.has(row.signature));
    const isLoose = tail.loose.some(({ slot }) => slot <= vault.slot);
    if (tail.rawAt(vault.slot) !== vault.raw || isInherited || isLoose) {
      doubts.doubt(cursor.pool, 0);
      if (isInherited) inherited.clear();
      return null;
    }
    const steps = tail.linked.filter(({ slot }) => slot <= vault.slot);
    return settledSpan(cursor, {
      fromSlot: BigInt(tail.start.slot),
      untilSlot: BigInt(vault.slot),
      baseRaw: vault.raw,
      quoteRaw: quoteAfter(steps, cursor.quoteRaw),
      swaps: steps.flatMap((step) => rows.get(keyOf(step)) ?? []),
    });
  }

  /** A stream that begins again after this slot tells of everything that is not settled, or not stored. */
  #noteFollowed(finalized: number): void {
    const { ear, pools, doubts, reach } = this.#following;
    const told = doubts.isWhole ? ear.tip : -1;
    const open = pools.all().filter(({ cursor }) => cursor.gap === null);
    if (open.some(({ cursor }) => doubts.isDoubted(cursor.pool))) return;
    const pending = open.flatMap(({ tail, changedSlot }) => [
      ...tail.steps.map(({ slot }) => slot),
      ...(changedSlot === null ? [] : [changedSlot]),
    ]);
    const first = lowest([...pending, ...ear.oldestOpen().values(), ...ear.untakenSlots()]) ?? Infinity;
    const settled = Math.min(finalized, Math.max(told, reach.compared), first - 1);
    if (settled <= reach.settled) return;
    reach.settled = settled;
    this.#followed = settled;
  }
}
