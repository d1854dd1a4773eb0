import { createHash } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';
import bs58 from 'bs58';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import * as marketStream from '../db/market/market-stream.ts';
import type { NewSwap } from '../db/market/swaps.ts';
import { priceInUsd, worthUsd } from '../domain/pool-price.ts';
import { createTestServices } from '../test/setup/services.ts';
import { openSeeded } from './reads/seeded.ts';
import { wantsJson } from './bench-command.ts';

// Bytes per swap: 200,000 on 20,000 pools. Run: node bench/swap-rows.ts [--json]

const json = wantsJson('swap-rows');

const TOKENS = 20_000;
const SWAPS = 200_000;
const WALLETS = 40_000;
const [AT_ONCE, OPEN] = [40, 1_300];
const QUOTE_DECIMALS = 6;
/** One minute at 100 a second. */
const VACUUM_EVERY = 6_000;

interface Pool {
  readonly pool: string;
  readonly mint: string;
}

const services = createTestServices((text) => process.stderr.write(`${text}\n`));
try {
  const { adminUrl } = await services.postgres();
  const db = await openSeeded(adminUrl, { tokens: TOKENS, swaps: 0 });
  await sql`update pool_cursors set finalized_slot = 0`.execute(db);
  await trade(db);
  await sql`vacuum analyze`.execute(db);
  report(await sizes(db));
  await db.destroy();
} finally {
  await services.stop();
}

async function trade(db: Db): Promise<void> {
  const pools = await db.selectFrom('tokens').select(['pool', 'mint']).orderBy('listingNumber').execute();
  const settledTo = new Map<string, bigint>();
  let open: NewSwap[] = [];
  for (let first = 0; first < SWAPS; first += AT_ONCE) {
    const swaps = Array.from({ length: AT_ONCE }, (_, place) => swapOf(first + place, pools));
    const newest = new Map(swaps.map(({ pool, slot }) => [pool, Number(slot)]));
    const changes = [...newest].map(([pool, slot]) => ({ pool, slot, seen: null }));
    await marketStream.storeTails(db, changes, swaps);
    open.push(...swaps);
    const final = first + AT_ONCE === SWAPS ? open : open.length >= 2 * OPEN ? open.slice(0, -OPEN) : [];
    open = open.slice(final.length);
    await settle(db, final, settledTo);
    if (first % VACUUM_EVERY === 0) await sql`vacuum market_swaps`.execute(db);
  }
}

async function settle(db: Db, final: readonly NewSwap[], settledTo: Map<string, bigint>): Promise<void> {
  const spans = [...Map.groupBy(final, ({ pool }) => pool)].map(([pool, swaps]) => ({
    pool,
    mint: swaps[0]!.mint,
    fromSlot: settledTo.get(pool) ?? 0n,
    untilSlot: swaps.at(-1)!.slot,
    baseRaw: 0n,
    quoteRaw: null,
    swaps,
    highestCapUsd: null,
  }));
  for (const { pool, untilSlot } of spans) settledTo.set(pool, untilSlot);
  await marketStream.settleAll(db, spans);
}

function swapOf(number: number, pools: readonly Pool[]): NewSwap {
  const draw = (what: string) => createHash('sha512').update(`${what}${number}`).digest();
  const uniform = (what: string) => draw(what).readUInt32LE() / 2 ** 32;
  const { pool, mint } = pools[Math.floor(uniform('pool') ** 6.64 * TOKENS)]!;
  const quoteUsd = (100 + uniform('usd') * 50).toFixed(8);
  const quoteRaw = BigInt(Math.floor(uniform('quote') * 1e9));
  const priceQuote = `0.${draw('price').readBigUInt64LE().toString().padStart(20, '0').padStart(26, '0')}1234`.slice(
    0,
    32,
  );
  return {
    signature: bs58.encode(draw('signature')),
    pool,
    index: 0,
    mint,
    // One per slot and pool.
    slot: 400_000_000n + BigInt(number),
    slotOrder: 0,
    blockTime: new Date(Date.UTC(2026, 10, 1) + Math.floor(number / 60) * 1_000),
    side: number % 2 === 0 ? 'buy' : 'sell',
    wallet: bs58.encode(
      createHash('sha256')
        .update(`wallet${number % WALLETS}`)
        .digest(),
    ),
    baseRaw: BigInt(Math.floor(uniform('base') * 1e15)) * 10n + 3n,
    quoteRaw,
    priceQuote,
    supplyRaw: 10n ** 18n,
    quoteUsd,
    priceUsd: priceInUsd(priceQuote, quoteUsd),
    valueUsd: worthUsd(quoteRaw, QUOTE_DECIMALS, quoteUsd),
  };
}

interface Size {
  readonly name: string;
  readonly bytes: number;
}

async function sizes(db: Db): Promise<Size[]> {
  const { rows } = await sql<{ name: string; bytes: bigint }>`
    select name, (select sum(pg_relation_size(relid)) from pg_partition_tree(name::regclass))::bigint as bytes from (
      select 'market_swaps' as name
      union all select indexrelid::regclass::text from pg_index where indrelid = 'market_swaps'::regclass
    ) as relations order by name`.execute(db);
  return rows.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }));
}

function report(measured: readonly Size[]): void {
  const machine = { load: loadavg()[0] ?? 0, cores: availableParallelism() };
  const each = measured.map(({ name, bytes }) => ({ name, bytes: bytes / SWAPS }));
  const total = each.reduce((sum, { bytes }) => sum + bytes, 0);
  if (json) return console.log(JSON.stringify({ bench: 'swap-rows', swaps: SWAPS, total, each, ...machine }));
  for (const { name, bytes } of each) console.log(`${name}: ${bytes.toFixed(1)} bytes a swap`);
  console.log(`${total.toFixed(1)} bytes a swap in all, of ${SWAPS} swaps`);
  console.log(`load ${machine.load.toFixed(1)} on ${machine.cores} cores`);
}
