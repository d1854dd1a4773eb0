import { looksLike } from '../../../chain/market/pool-changes.ts';
import { inParallel } from '../../../chain/rpc/in-parallel.ts';
import * as marketStream from '../../../db/market/market-stream.ts';
import { lowest } from './extremes.ts';
import { type Following, POOLS_AT_ONCE } from './following.ts';
import { type PoolStand, readStands, STANDS_PER_CALL } from './pool-history.ts';

/**
 * Compares all pools and their vaults with what is known of them, beyond any fork, and has the histories of those read that differ.
 * @param closesHole true where the stream is whole from a slot on that is final
 */
export async function compareAll(following: Following, closesHole: (comparedSlot: number) => boolean): Promise<void> {
  const { deps, ear, doubts, reach, list } = following;
  const known = new Map((await marketStream.stands(deps.db)).map((stand) => [stand.pool, stand]));
  const all = list.all();
  const pages = Array.from({ length: Math.ceil(all.length / STANDS_PER_CALL) }, (_, page) =>
    all.slice(page * STANDS_PER_CALL, (page + 1) * STANDS_PER_CALL),
  );
  const slots = await inParallel(POOLS_AT_ONCE, pages, async (page) => {
    deps.heartbeat();
    const read = [...(await readStands(deps, page))];
    const slot = lowest(read.map(([, stand]) => stand.slot)) ?? 0;
    const moved = read.filter(([pool, stand]) => differs(following, pool, stand, known.get(pool)));
    await noteLooks(following, moved);
    await doubts.distrust(
      moved.map(([pool]) => pool),
      slot,
    );
    return slot;
  });
  const compared = lowest(slots) ?? reach.final;
  if (!doubts.isWhole && closesHole(compared)) {
    await doubts.closeHole(ear.touchedSinceHole(), compared);
    ear.closeHole();
  }
  reach.noteCompared(compared);
}

function differs(
  { pools }: Following,
  pool: string,
  { slot, raw, hash, account }: PoolStand,
  stored: marketStream.StoredStand | undefined,
): boolean {
  const followed = pools.get(pool);
  if (!stored) return true;
  if (hash !== stored.seen && !looksLike(account, stored.seen)) return true;
  return raw !== (followed ? followed.tail.rawAt(slot) : stored.baseRaw);
}

/** What is read for how they look now need not be read for it again. */
async function noteLooks({ deps, pools }: Following, moved: readonly (readonly [string, PoolStand])[]): Promise<void> {
  const looks = moved.filter(([pool, { slot }]) => (pools.get(pool)?.changedSlot ?? 0) <= slot);
  const changes = looks.map(([pool, { slot, hash }]) => ({ pool, slot, seen: hash }));
  await marketStream.storeTails(deps.db, changes, []);
}
