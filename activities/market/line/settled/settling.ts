import * as marketStream from '../../../../db/market/market-stream.ts';
import type { SettledSpan } from '../../../../db/market/swaps.ts';
import type { FinalizedVault } from '../../settle.ts';
import { type ProvenSpan, provenSpan, settledSpans } from '../../settled-span.ts';
import { lowest } from '../extremes.ts';
import type { FollowedPool } from '../followed-pools.ts';
import type { Line } from '../line.ts';
import { oldestOpen, untakenSlots } from '../observed/observing.ts';
import { priceTails } from '../written/pricing.ts';
import { FinalRounds, type Round } from './final-rounds.ts';

/** Pools per turn, after which received data is processed. */
const POOLS_A_TURN = 100;

/** Settles pools in rounds, each in turns. */
export class Settling {
  readonly #line: Line;
  readonly #rounds: FinalRounds;
  #at = Number.NEGATIVE_INFINITY;
  #isReading = false;
  #round: Round | null = null;

  constructor(line: Line) {
    this.#line = line;
    this.#rounds = new FinalRounds(line);
  }

  async settleInTime(): Promise<void> {
    const { settleEveryMs } = this.#line.deps.settings;
    if (this.#round === null) {
      if (!this.#isReading && this.#line.now() - this.#at >= settleEveryMs) void this.#begin();
      return;
    }
    await settleTurn(this.#line, this.#round);
    if (this.#round.due.length === 0) this.#round = null;
  }

  async #begin(): Promise<void> {
    this.#at = this.#line.now();
    this.#isReading = true;
    try {
      this.#round = await this.#rounds.read();
    } finally {
      this.#isReading = false;
    }
  }
}

async function settleTurn(line: Line, { finalized, due, vaults }: Round): Promise<void> {
  const { deps, observing, pools, prices, followed } = line;
  const turn = due.splice(0, POOLS_A_TURN).flatMap((address) => pools.get(address) ?? []);
  const unpriced = turn.filter(({ rows }) => rows.forgetUnpriced());
  prices.want(unpriced.map(({ written }) => written.cursor.quoteMint));
  await priceTails(line, unpriced);
  const oldest = oldestOpen(observing);
  const finals = turn.flatMap((pool) => spanOf(line, pool, vaults.get(pool.address), oldest.get(pool.address)) ?? []);
  const spans = await settledSpans(deps, finals);
  const settled = await marketStream.settleAll(deps.db, spans, followed.unwritten);
  if (settled.pools.size > 0) followed.noteWritten();
  deps.meters.swapsStored(settled.stored);
  for (const span of spans) await noteSettled(line, span, settled.pools.has(span.pool));
  if (due.length > 0) return;
  followed.advance(followedUntil(line, finalized));
  if (followed.unwritten === null || settled.pools.size > 0) return;
  await marketStream.noteFollowed(deps.db, followed.unwritten);
  followed.noteWritten();
}

async function noteSettled({ pools, rereads }: Line, span: SettledSpan, isOurs: boolean): Promise<void> {
  const pool = pools.get(span.pool);
  if (!pool) return;
  rereads.noteSettled(pool.address);
  if (isOurs) pools.moveTo(pool, Number(span.untilSlot), span);
  else await pools.reload(pool);
}

/** Null if the pool cannot be settled now. If the vault holds another balance, queues the pool to be read again. */
function spanOf(
  { observing, rereads, liveness }: Line,
  { address, ordered: { tail }, rows, written: { cursor } }: FollowedPool,
  vault: FinalizedVault | undefined,
  oldest = Infinity,
): ProvenSpan | null {
  if (!vault || vault.slot <= tail.start.slot || rereads.requiredSlotOf(address) !== null) return null;
  if (!liveness.isLive) {
    // A silent stream may not have reported everything up to that balance.
    rereads.require(address, 0);
    return null;
  }
  if (!observing.hole.isWhole || vault.slot > observing.blocks.tip || oldest <= vault.slot) return null;
  const isInherited = rows.inherited.some(({ slot, signature }) => slot <= BigInt(vault.slot) && !tail.has(signature));
  const isLoose = tail.loose.some(({ slot }) => slot <= vault.slot);
  if (tail.rawAt(vault.slot) !== vault.raw || isInherited || isLoose) {
    rereads.require(address, 0);
    if (isInherited) rows.forgetInherited();
    return null;
  }
  const steps = tail.linked.filter(({ slot }) => slot <= vault.slot);
  const from = { finalizedSlot: BigInt(tail.start.slot), baseRaw: tail.start.raw, quoteRaw: cursor.quoteRaw };
  return provenSpan({ cursor, from, until: vault, transactions: steps, swaps: rows.of(steps) });
}

/** Returns the slot up to which nothing is unsettled or unstored; -1 if that is unknown. */
function followedUntil({ observing, pools, rereads }: Line, finalized: number): number {
  const reported = observing.hole.isWhole ? observing.blocks.tip : -1;
  const open = pools.all().filter(({ written }) => written.cursor.gap === null);
  if (open.some(({ address }) => rereads.requiredSlotOf(address) !== null)) return -1;
  const pending = open.flatMap(({ ordered: { tail, changedSlot } }) => [
    ...tail.steps.map(({ slot }) => slot),
    ...(changedSlot === null ? [] : [changedSlot]),
  ]);
  const first = lowest([...pending, ...oldestOpen(observing).values(), ...untakenSlots(observing)]) ?? Infinity;
  return Math.min(finalized, Math.max(reported, observing.hole.compared), first - 1);
}
