import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';

export interface Scale {
  readonly tokens: number;
  readonly swaps: number;
  readonly terms: object;
}

/** The n-th word occurs 1/n as often. */
const WORDS =
  'moon doge cat pepe inu baby ai king rocket shiba frog elon gold star dragon wif bonk panda tiger wolf bear bull lion ' +
  'ape chad degen giga turbo based rich lucky magic cyber neon pixel quantum solar lunar ocean river mountain forest ' +
  'storm thunder flame frost shadow ghost ninja samurai viking wizard knight queen prince angel demon phoenix unicorn ' +
  'banana taco pizza burger coffee sushi mango cherry pepper honey cookie waffle pickle noodle';

/** Rare, one per number. */
const OWN_WORD = sql`translate(substr(md5('own' || n), 1, 6), '0123456789', 'ghijklmnop')`;

/** Hexadecimal to 16 base58 letters. */
const address = (kind: string) => sql`translate(substr(md5(${sql.lit(kind)} || n) || md5(n || ${sql.lit(kind)}), 1, 44),
  '0123456789abcdef', '9ABCDEFGHJKLMNPQ')`;

const ID = sql`('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid`;
const SYMBOL = sql`upper(left(replace(name, ' ', ''), 5))`;
const CREATED_AT = sql`timestamptz '2026-01-01' + n * interval '4 minutes'`;

export async function seedScale(db: Db, scale: Scale): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection);
    await sql`select setseed(0.5)`.execute(connection);
    await seedPairs(connection);
    await seedTokens(connection, scale);
    await seedSwaps(connection, scale);
    await sql`vacuum analyze`.execute(connection);
  });
}

async function seedPairs(db: Db): Promise<void> {
  await sql`insert into pair_categories (name) select 'category-' || n from generate_series(1, 5) as n`.execute(db);
  await sql`insert into pairs (mint, symbol, name, decimals, token_program, category, price_source, price_source_id,
      price_max_age_ms, price_max_confidence_bps)
    select ${address('quote')}, 'Q' || n, 'Quote ' || n, 6, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      'category-' || 1 + n % 5, 'fixed', 'q', 1000, 100 from generate_series(1, 50) as n`.execute(db);
}

async function seedTokens(db: Db, { tokens, terms }: Scale): Promise<void> {
  const words = sql`string_to_array(${sql.lit(WORDS)}, ' ')`;
  const word = sql`(${words})[1 + floor(power(random(), 2.5) * ${sql.lit(WORDS.split(' ').length)})::int]`;
  await sql`create temporary table made as select n, ${address('mint')} as mint,
      initcap(${word} || ' ' || case when n % 4 = 0 then ${OWN_WORD} else ${word} end) as name,
      (array(select mint from pairs order by symbol))[1 + floor(power(random(), 2) * 50)::int] as quote_mint,
      case when n % 10 = 0 then 'reward' else 'standard' end as mode
    from generate_series(1, ${sql.lit(tokens)}) as n`.execute(db);
  await sql`alter table launches disable trigger user`.execute(db);
  await sql`insert into launches (quote_id, terms, state, seed_id, creator, mint, mode, quote_mint, name, symbol,
      payment_lamports, submitted_signature, submitted_wire, payment_signature, launched_at, completed_at)
    select ${ID}, ${JSON.stringify(terms)}::jsonb, 'finalized', 's', 'creator-' || n % 5000, mint, mode, quote_mint, name, ${SYMBOL}, 290000000,
      'signature-' || n, '', 'signature-' || n, ${CREATED_AT}, ${CREATED_AT} from made`.execute(db);
  await sql`alter table launches enable trigger user`.execute(db);
  await sql`alter table tokens disable trigger user`.execute(db);
  await sql`insert into tokens (mint, name, symbol, decimals, logo_url, metadata_uri, url, pool, quote_mint, quote_symbol,
      creator, mode, fee_tier, reward_tax_bps, pool_fee_percent, links, quote_id, created_at, created_slot, listing_number, name_skeleton, symbol_skeleton)
    select mint, name, ${SYMBOL}, 9, 'https://site.example/store/' || md5(n::text) || md5(mint) || '.png',
      'https://site.example/store/' || md5(n::text) || '.json', 'https://site.example/tokens/' || mint,
      ${address('pool')}, quote_mint, 'QUOTE', ${address('creator')}, mode, case when mode = 'standard' then '1%' end,
      case when mode = 'reward' then 100 end, 1, '{"website":"https://site.example"}', ${ID}, ${CREATED_AT}, n, n, upper(name), upper(${SYMBOL})
    from made order by n`.execute(db);
  await sql`alter table tokens enable trigger user`.execute(db);
  // One in fifty has traded since its count.
  await sql`insert into pool_cursors (pool, mint, finalized_slot, holders_slot, holders_counted_at)
    select pool, mint, created_slot, created_slot - (created_slot % 50 = 0)::int, created_at from tokens`.execute(db);
  await sql`select setval('token_listing_numbers', ${sql.lit(tokens)})`.execute(db);
  await sql`drop table made`.execute(db);
  await withoutIndexes(db, 'token_markets', () => seedFigures(db));
  await seedAirdrops(db);
  await sql`insert into token_trading (mint, price_usd_before1h, price_usd_before6h, trades24h, traders24h, counted_at)
    select mint, 0.00001, 0.00001, 12, 7, created_at from tokens where listing_number % 3 = 0`.execute(db);
  await sql`select recount_launches(), recount_token_markets()`.execute(db);
}

async function seedAirdrops(db: Db): Promise<void> {
  const hash = sql`encode(sha256('recipients'), 'hex')`;
  await sql`insert into recipient_sets (hash, document, keep_until) values (${hash}, 'recipients', 'infinity')`.execute(
    db,
  );
  await sql`insert into airdrops (quote_id, mint, share_raw, recipients_hash, recipients_uri, delivered_at)
    select quote_id, mint, 1000000, ${hash}, 'https://site.example/store/recipients.json', created_at
    from tokens where listing_number % 50 = 0`.execute(db);
}

/** Most never left the opening. */
async function seedFigures(db: Db): Promise<void> {
  await sql`insert into token_markets (mint, listed, mode, quote_mint, created_at, search_text, symbol_text,
      symbol_skeleton, name_skeleton, status,
      price_usd, price_quote,
      market_cap_usd, high_water_market_cap_usd, volume24h_usd, liquidity_usd, price_change24h_percent, holders, last_slot)
    select mint, true, mode, quote_mint, created_at, lower(name) || chr(10) || lower(symbol), lower(symbol),
      symbol_skeleton, name_skeleton,
      case when cap > 40000 then 'graduated' when cap > 30000 then 'aboutToGraduate' else 'new' end,
      cap / 1000000000, cap / 1500000000, cap, cap, case when draw < 0.7 then 0 else cap * draw end, cap / 5, 100 * draw - 50,
      1000 * draw, 1
    from (select tokens.*, draw, round((4000 / power(draw, 0.7))::numeric, 2) as cap
      from tokens, lateral (select greatest(random(), 1e-6) + 0 * created_slot as draw) as drawn) as figures`.execute(
    db,
  );
}

/** By the square root of rank: the first of 100,000 has about a sixth. */
async function seedSwaps(db: Db, { tokens, swaps }: Scale): Promise<void> {
  if (swaps === 0) return;
  const newest = sql`timestamptz '2026-11-21 08:00'`;
  await sql`select add_swap_month(month) from (
    select distinct swap_month(at) as month
    from generate_series(${newest} - ${sql.lit(swaps)} * interval '1 second', ${newest}, '1 day') as at) as months`.execute(
    db,
  );
  await withoutIndexes(db, 'market_swaps', async () => {
    await sql`insert into market_swaps (pool_number, signature, index, month, slot, block_time, is_buy, wallet, base_raw, quote_raw,
        price_quote, quote_usd)
      select cursor.number, sha512(n::text::bytea), 0, swap_month(at), n / 10, at, n % 2 = 0, sha256(n::text::bytea),
        1000000000 + n, 5000 + n, 0.000005 * (1 + random()), 1.5
      from (select n, 1 + floor(power(random(), 6.64) * ${sql.lit(tokens)})::bigint as number
        from generate_series(1, ${sql.lit(swaps)}) as n) as drawn
      cross join lateral (select ${newest} - (${sql.lit(swaps)} - n) * interval '1 second' as at) as timed
      join tokens on tokens.listing_number = drawn.number join pool_cursors as cursor on cursor.mint = tokens.mint
      order by n`.execute(db);
  });
  const slots = sql`${sql.lit(swaps)} / 10`;
  await sql`update pool_cursors set finalized_slot = finalized_slot + ${slots}, holders_slot = holders_slot + ${slots}`.execute(
    db,
  );
}

/** Faster than per row. */
async function withoutIndexes(db: Db, table: string, fill: () => Promise<void>): Promise<void> {
  const keys = await sql<{ name: string; definition: string }>`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = ${table}::regclass and contype = 'p'`.execute(db);
  const indexes = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes where tablename = ${table}`.execute(db);
  const others = indexes.rows.filter(({ name }) => keys.rows.every((key) => key.name !== name));
  for (const { name } of others) await sql`drop index ${sql.id(name)}`.execute(db);
  for (const { name } of keys.rows)
    await sql`alter table ${sql.table(table)} drop constraint ${sql.id(name)}`.execute(db);
  await sql`alter table ${sql.table(table)} disable trigger all`.execute(db);
  await fill();
  await sql`alter table ${sql.table(table)} enable trigger all`.execute(db);
  for (const { name, definition } of keys.rows) {
    await sql`alter table ${sql.table(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(db);
  }
  for (const { definition } of others) await sql.raw(definition.replace(' ON ONLY ', ' ON ')).execute(db);
}
