import { inParallel } from '../../../../chain/rpc/in-parallel.ts';
import { createAgreedSlot } from '../../agreed-slot.ts';
import { settlePool } from '../../settle.ts';
import { saveByRpc } from '../figures/chain-figures.ts';
import { type FollowedPool, vaultOf } from '../followed-pools.ts';
import { type Line, POOLS_AT_ONCE } from '../line.ts';
import { order } from './ordering.ts';
import { readHistory, readVaults } from './pool-history.ts';

/** Pools per turn, after which other work runs. */
const POOLS_A_TURN = 200;

/** Reads the histories of queued pools by RPC. */
export async function rereadDue(line: Line): Promise<void> {
  const { deps, rereads } = line;
  await inParallel(POOLS_AT_ONCE, rereads.due().slice(0, POOLS_A_TURN), async (pool) => {
    deps.heartbeat();
    try {
      await reread(line, pool);
    } catch (error) {
      deps.logger.warn({ err: error, pool: pool.address }, 'the history of a pool could not be read');
      deps.meters.poolFailed();
    }
  });
}

async function reread(line: Line, pool: FollowedPool): Promise<void> {
  const { deps, rereads, liveness } = line;
  const { address, ordered } = pool;
  const attempt = rereads.attempt(address);
  const upTo = rereads.requiredSlotOf(address) ?? 0;
  const wish = { united: attempt > 0, minContextSlot: upTo };
  const found = attempt < 2 && liveness.isLive ? await readHistory(deps, pool, wish) : null;
  if (found === null || found.isTooLong) return settleByRpc(line, pool);
  deps.meters.filled(found.steps.length);
  order(line, pool, found.steps);
  if (ordered.tail.loose.length > 0) return;
  // Enough for now: settlement compares the final vault balance.
  if (rereads.requiredSlotOf(address) === upTo) rereads.done(address);
  ordered.noteReread();
}

/** Settles a pool by RPC in proven chunks; records a remaining gap. */
async function settleByRpc(line: Line, pool: FollowedPool): Promise<void> {
  const { deps, pools, rereads, prices } = line;
  const { address, market, ordered, written } = pool;
  await pools.ensureSupplies([pool]);
  const agreed = createAgreedSlot(deps.rpc);
  const read = (await readVaults(deps, [vaultOf(pool)])).get(address);
  if (!read || read.slot <= ordered.tail.start.slot) return;
  const vault = { ...read, agreedSlot: await agreed(read.slot) };
  const open = { market, supplyRaw: pools.supplyOf(pool) };
  prices.want([written.cursor.quoteMint]);
  await settlePool(deps, { cursor: written.cursor, open, prices: prices.now }, vault);
  await pools.reload(pool);
  ordered.noteStale();
  const isWhole = written.cursor.gap === null && ordered.tail.loose.length === 0;
  if (!isWhole || vault.slot < (rereads.requiredSlotOf(address) ?? 0)) return;
  rereads.done(address);
  rereads.noteRead(address);
  await saveByRpc(line, pool, 0);
}
