import { isAsSeen } from '../../../chain/market/pool-changes.ts';
import { inParallel } from '../../../chain/rpc/in-parallel.ts';
import * as marketStream from '../../../db/market/market-stream.ts';
import { lowest } from './extremes.ts';
import { type FollowState, POOLS_AT_ONCE } from './follow-state.ts';
import { type PoolStand, readVaultStates, STANDS_PER_CALL } from './pool-history.ts';

/**
 * Compares all pools with the chain.
 *
 * @param closesHole true if the stream has everything after a comparison at this finalized slot
 */
export async function compareAll(state: FollowState, closesHole: (comparedSlot: number) => boolean): Promise<void> {
  const { deps, buffer, rereads, finality, list } = state;
  const known = new Map((await marketStream.stands(deps.db)).map((stand) => [stand.pool, stand]));
  const all = list.all();
  const pages = Array.from({ length: Math.ceil(all.length / STANDS_PER_CALL) }, (_, page) =>
    all.slice(page * STANDS_PER_CALL, (page + 1) * STANDS_PER_CALL),
  );
  const slots = await inParallel(POOLS_AT_ONCE, pages, async (page) => {
    deps.heartbeat();
    const read = [...(await readVaultStates(deps, page))];
    const slot = lowest(read.map(([, stand]) => stand.slot)) ?? 0;
    const moved = read.filter(([pool, stand]) => differs(state, pool, stand, known.get(pool)));
    await noteLooks(state, moved);
    await rereads.requireChanged(
      moved.map(([pool]) => pool),
      slot,
    );
    return slot;
  });
  const compared = lowest(slots) ?? finality.final;
  if (!rereads.isWhole && closesHole(compared)) {
    await rereads.closeHole(buffer.touchedSinceHole(), compared);
    buffer.closeHole();
  }
  finality.noteCompared(compared);
}

function differs(
  { pools }: FollowState,
  pool: string,
  { slot, raw, hash, account }: PoolStand,
  stored: marketStream.StoredStand | undefined,
): boolean {
  const followed = pools.get(pool);
  if (!stored) return true;
  if (!isAsSeen(account, hash, stored.seen)) return true;
  return raw !== (followed ? followed.tail.rawAt(slot) : stored.baseRaw);
}

/** Records the compared states, so that the next comparison does not report the same difference. */
async function noteLooks(
  { deps, pools }: FollowState,
  moved: readonly (readonly [string, PoolStand])[],
): Promise<void> {
  const looks = moved.filter(([pool, { slot }]) => (pools.get(pool)?.changedSlot ?? 0) <= slot);
  const changes = looks.map(([pool, { slot, hash }]) => ({ pool, slot, seen: hash }));
  await marketStream.storeTails(deps.db, changes, []);
}
