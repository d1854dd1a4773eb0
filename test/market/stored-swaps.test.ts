import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { transaction } from '../../db/connect.ts';
import * as marketStream from '../../db/market/market-stream.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import { replaceSwaps } from '../../db/market/swap-repair.ts';
import * as swaps from '../../db/market/swaps.ts';
import type { NewSwap } from '../../db/market/swaps.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { address, signature } from '../support/launch/launch-rows.ts';
import { launchedToken } from '../support/launch/launched-token.ts';

const { db } = useDatabase();
let [pool, mint] = ['', ''];

beforeEach(async () => {
  ({ mint } = await launchedToken(db()));
  ({ pool } = await db().selectFrom('tokens').select('pool').where('mint', '=', mint).executeTakeFirstOrThrow());
});

function swapAt(slot: bigint, more: Partial<NewSwap> = {}): NewSwap {
  return {
    signature: signature(),
    pool,
    index: 0,
    mint,
    slot,
    slotOrder: 0,
    blockTime: new Date(Date.UTC(2026, 10, 21, 14, 0, Number(slot % 60n))),
    side: 'buy',
    wallet: address(),
    baseRaw: 1_000n,
    quoteRaw: 5n,
    priceQuote: '0.000005',
    supplyRaw: 10n ** 18n,
    quoteUsd: null,
    priceUsd: null,
    valueUsd: null,
    ...more,
  };
}

const tell = (...given: NewSwap[]) => {
  const slot = Math.max(...given.map((swap) => Number(swap.slot)));
  return marketStream.storeTails(db(), [{ pool, slot, seen: null }], given);
};
const settleUntil = (untilSlot: bigint, ...stayed: NewSwap[]) => settleFrom(0n, untilSlot, ...stayed);
const settleFrom = (fromSlot: bigint, untilSlot: bigint, ...stayed: NewSwap[]) =>
  marketStream.settleAll(db(), [
    { pool, mint, fromSlot, untilSlot, baseRaw: 7n, quoteRaw: null, swaps: stayed, highestCapUsd: null },
  ]);
const stored = async () =>
  (await swaps.ofPool(db(), pool, 10_000n)).map(({ signature: of, slot, finalized }) => ({ of, slot, finalized }));
const cursor = () => db().selectFrom('poolCursors').selectAll().where('pool', '=', pool).executeTakeFirstOrThrow();

describe('a swap that is stored', () => {
  it('is final once the cursor of its pool has come to it, and nothing is written for that', async () => {
    const [one, two] = [swapAt(5n), swapAt(9n)];
    await tell(one, two);
    const { swapsVersion } = await cursor();
    expect(await settleUntil(6n, one)).toMatchObject({ stored: 0 });
    expect(await stored()).toEqual([
      { of: one.signature, slot: 5n, finalized: true },
      { of: two.signature, slot: 9n, finalized: false },
    ]);
    expect(await cursor()).toMatchObject({ swapsVersion, changedSlot: 9n, finalizedSlot: 6n });
    expect(await settleFrom(6n, 9n, two)).toMatchObject({ stored: 0 });
    expect(await cursor()).toMatchObject({ swapsVersion, changedSlot: null });
  });

  it('moves with a fork while it is not final, and never afterwards', async () => {
    const swap = swapAt(5n);
    await tell(swap);
    await tell({ ...swap, slot: 6n });
    expect(await stored()).toEqual([{ of: swap.signature, slot: 6n, finalized: false }]);
    await settleUntil(6n, { ...swap, slot: 6n });
    expect(await tell({ ...swap, slot: 8n })).toMatchObject({ pools: [{ written: 0, added: 0 }] });
    expect(await stored()).toEqual([{ of: swap.signature, slot: 6n, finalized: true }]);
  });

  it('is not moved by who waited until it was final', async () => {
    const swap = swapAt(5n);
    await tell(swap);
    const locked = Promise.withResolvers<void>();
    const waited = Promise.withResolvers<void>();
    const settling = transaction(db(), async (tx) => {
      await sql`select from pool_cursors where pool = ${pool} for update`.execute(tx);
      locked.resolve();
      await waited.promise;
      await sql`update pool_cursors set finalized_slot = 6 where pool = ${pool}`.execute(tx);
    });
    await locked.promise;
    const telling = tell({ ...swap, slot: 8n }, swapAt(9n));
    await untilSomebodyWaits();
    waited.resolve();
    await settling;
    expect(await telling).toMatchObject({ pools: [{ written: 1, added: 1 }] });
    expect(await stored()).toMatchObject([{ of: swap.signature, slot: 5n, finalized: true }, { slot: 9n }]);
  });

  it('goes where it is not among what is final, and only up to there', async () => {
    const [stays, goes, later] = [swapAt(5n), swapAt(5n, { slotOrder: 1 }), swapAt(9n)];
    await tell(stays, goes, later);
    const { swapsVersion } = await cursor();
    await settleUntil(6n, stays);
    expect(await stored()).toMatchObject([{ of: stays.signature }, { of: later.signature }]);
    expect(await cursor()).toMatchObject({ swapsVersion: swapsVersion + 1n });
  });

  it('is looked at until it is final, whoever stored it', async () => {
    await poolCursors.noteVaults(db(), pool, address(), address());
    await swaps.storeProvisional(db(), pool, [swapAt(12n)], []);
    expect(await marketStream.unsettled(db(), 11)).toContainEqual({ pool, isOverdue: false });
    await settleUntil(12n);
    expect((await marketStream.unsettled(db(), 11)).map((open) => open.pool)).not.toContain(pool);
  });

  it('of a slot that nobody has come to leaves nothing of it once it is told truly', async () => {
    const swap = swapAt(5n);
    await swaps.storeProvisional(db(), pool, [{ ...swap, slot: 9_000_000_000_000n }], []);
    await settleUntil(6n, swap);
    expect(await stored()).toEqual([{ of: swap.signature, slot: 5n, finalized: true }]);
    expect(await cursor()).toMatchObject({ changedSlot: null });
  });

  it('and is final stays so where its pool is repaired up to a slot before it', async () => {
    const [before, after] = [swapAt(5n), swapAt(9n)];
    await settleUntil(9n, before, after);
    const history = { pool, mint, untilSlot: 6n, baseRaw: 1n, swaps: [before], highestCapUsd: null, isWhole: true };
    await replaceSwaps(db(), { ...history, finalSlot: 20n, actor: 'test' });
    expect(await stored()).toMatchObject([{ finalized: true }, { of: after.signature, finalized: true }]);
    expect(await cursor()).toMatchObject({ finalizedSlot: 9n, baseRaw: 7n });
    // Nobody has come to that slot.
    await replaceSwaps(db(), { ...history, finalSlot: 8n, actor: 'test' });
    expect(await cursor()).toMatchObject({ finalizedSlot: 6n, baseRaw: 1n });
  });

  it('is one of several of its transaction, and of another pool of it', async () => {
    const first = swapAt(5n);
    await tell(first, { ...first, index: 1, baseRaw: 2_000n });
    expect(await stored()).toHaveLength(2);
    expect(await tell({ ...first, index: 1, baseRaw: 2_000n })).toMatchObject({ pools: [{ written: 0 }] });
    expect(await tell({ ...first, index: 1, baseRaw: 3_000n })).toMatchObject({ pools: [{ written: 1, added: 0 }] });
  });
});

/** Until a statement of this database waits for a lock. */
async function untilSomebodyWaits(): Promise<void> {
  for (;;) {
    const { rows } =
      await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db(),
      );
    if (rows.length > 0) return;
  }
}
