import bs58 from 'bs58';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { migrateDown, migrateToLatest } from '../../db/migrate.ts';
import { insertPairs } from '../support/db/pair-rows.ts';
import { insertSwaps } from '../support/market/swap-rows.ts';
import { launchedToken } from '../support/launch/launched-token.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db, url } = useDatabase();

async function storedSwaps(): Promise<readonly unknown[]> {
  const { rows } = await sql`
    select signature, pool, index, mint, slot, slot_order, block_time, side, wallet, base_raw, quote_raw, price_quote, supply_raw,
      quote_usd, price_usd, value_usd, finalized from swaps order by slot, slot_order, index`.execute(db());
  return rows;
}

it('swaps as text become swaps as bytes and text again, and nothing of them is lost', async () => {
  const { mint } = await launchedToken(db());
  const { quoteMint } = await db().selectFrom('tokens').select('quoteMint').executeTakeFirstOrThrow();
  await insertPairs(db(), 'stables', [quoteMint]);
  const beginsWithZeros = bs58.encode(Buffer.concat([Buffer.alloc(3), Buffer.alloc(61, 255)]));
  await insertSwaps(db(), mint, [
    { side: 'buy', signature: beginsWithZeros, wallet: bs58.encode(Buffer.alloc(32)), quoteUsd: '1.23456789' },
    { side: 'sell', slot: 2_000n, slotOrder: 1, quoteUsd: null, baseRaw: 2n ** 64n - 1n },
    { slot: 2_500n, signature: beginsWithZeros, index: 1, priceQuote: '0.000000000000000000000000000001' },
    { slot: 2_501n, finalized: false },
  ]);
  const before = await storedSwaps();
  expect(before).toMatchObject([{ signature: beginsWithZeros, valueUsd: '0.0061728395' }, { priceUsd: null }, {}, {}]);
  let takenBack: string | undefined;
  while (takenBack !== '0024-compact-swaps') [takenBack] = await migrateDown(url());
  expect(await storedSwaps()).toEqual(before);
  await sql`update pool_cursors set changed_slot = null`.execute(db());
  await migrateToLatest(url());
  expect(await storedSwaps()).toEqual(before);
  const { changedSlot } = await db().selectFrom('poolCursors').select('changedSlot').executeTakeFirstOrThrow();
  expect(changedSlot).toBe(2_501n);
});
