import { isAsSeen } from '../../../../chain/market/pool-changes.ts';
import { inParallel } from '../../../../chain/rpc/in-parallel.ts';
import * as marketStream from '../../../../db/market/market-stream.ts';
import { batchesOf } from '../../../../domain/batches.ts';
import { lowest } from '../extremes.ts';
import { type Line, POOLS_AT_ONCE } from '../line.ts';
import { isOpen } from '../followed-pools.ts';
import { noteHole } from '../observed/observing.ts';
import { type PoolStand, readVaultStates, STANDS_PER_CALL } from './pool-history.ts';

/** Decides when all pools are compared with the chain: after a hole, and while the source is silent. */
export class Comparison {
  readonly #line: Line;
  /** All pools must be compared once the source's first slot, which is after this one, is final. */
  #after: number | null = null;
  #firstTip: number | null = null;
  #at: number;
  #againAt = 0;

  constructor(line: Line) {
    this.#line = line;
    this.#at = line.now();
  }

  /** The source lost data: it settles nothing until all pools were compared. */
  noteHole(): void {
    const { observing, pools } = this.#line;
    noteHole(
      observing,
      pools
        .all()
        .filter(isOpen)
        .map(({ address }) => address),
    );
    this.#after = Math.max(observing.blocks.tip, 0);
    this.#firstTip = null;
  }

  async compareInTime(): Promise<void> {
    const { deps, observing, finality, liveness } = this.#line;
    const now = this.#line.now();
    const { tip } = observing.blocks;
    if (this.#firstTip === null && this.#after !== null && tip > this.#after) this.#firstTip = tip;
    const isDue = !liveness.isLive && now - this.#at >= deps.settings.compareEveryMs;
    const isReached = this.#firstTip !== null && finality.final >= this.#firstTip && now >= this.#againAt;
    if (isDue || isReached) await this.#compare();
  }

  async #compare(): Promise<void> {
    const { deps, observing } = this.#line;
    this.#at = this.#line.now();
    this.#againAt = this.#at + deps.settings.settleEveryMs;
    try {
      await compareAll(this.#line, this.#firstTip ?? Infinity);
      if (observing.hole.isWhole) this.#after = this.#firstTip = null;
    } catch (error) {
      deps.logger.warn({ err: error }, 'the pools could not be compared with the chain');
    }
  }
}

/** @param firstTip the source has everything after a comparison at this finalized slot */
async function compareAll(line: Line, firstTip: number): Promise<void> {
  const { deps, observing, rereads, finality } = line;
  const { list, hole } = observing;
  const known = new Map((await marketStream.stands(deps.db)).map((stand) => [stand.pool, stand]));
  const slots = await inParallel(POOLS_AT_ONCE, batchesOf(list.all(), STANDS_PER_CALL), async (page) => {
    deps.heartbeat();
    const read = [...(await readVaultStates(deps, page))];
    const slot = lowest(read.map(([, stand]) => stand.slot)) ?? 0;
    const moved = read.filter(([pool, stand]) => differs(line, pool, stand, known.get(pool)));
    await noteCompared(line, moved);
    await rereads.requireChanged(
      moved.map(([pool]) => pool),
      slot,
    );
    return slot;
  });
  const compared = lowest(slots) ?? finality.final;
  if (!hole.isWhole && compared >= firstTip) {
    await rereads.requireChanged(hole.doubted, compared);
    hole.close();
  }
  hole.noteCompared(compared);
}

function differs(
  { pools }: Line,
  pool: string,
  { slot, raw, hash, account }: PoolStand,
  stored: marketStream.StoredStand | undefined,
): boolean {
  if (!stored) return true;
  if (!isAsSeen(account, hash, stored.seen)) return true;
  return raw !== (pools.get(pool)?.ordered.tail.rawAt(slot) ?? stored.baseRaw);
}

/** Records the compared states, so that the next comparison does not report the same difference. */
async function noteCompared({ deps, pools }: Line, moved: readonly (readonly [string, PoolStand])[]): Promise<void> {
  const compared = moved.filter(([pool, { slot }]) => (pools.get(pool)?.ordered.changedSlot ?? 0) <= slot);
  const changes = compared.map(([pool, { slot, hash }]) => ({ pool, slot, seen: hash }));
  await marketStream.storeTails(deps.db, changes, []);
}
