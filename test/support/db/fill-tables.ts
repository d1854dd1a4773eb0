import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../db/connect.ts';
import { launchTerms } from '../launch/launch-rows.ts';

/**
 * Fills every growing table with `count` rows, most of them settled as in a database of some age, and updates the planner's statistics. About
 * every `openEvery`-th row is open work.
 */
export async function fillTables(db: Db, count: number, openEvery = 100): Promise<void> {
  const [open, seldom] = [sql.lit(openEvery), sql.lit(2 * openEvery)];
  const id = sql`('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid`;
  const at = sql`timestamptz '2026-01-01' + n * interval '1 minute'`;
  const rows = sql`generate_series(1, ${sql.lit(count)}) as n`;
  const terms = JSON.stringify(launchTerms());
  await fillEvents(db, rows);
  await fillLists(db, rows);
  await sql`insert into launches (quote_id, terms, state, seed_id, creator, mint, mode, quote_mint, name, symbol,
      payment_lamports, submitted_signature, submitted_wire, payment_signature, launched_at, completed_at, updated_at,
      receipted_at)
    select ${id}, ${terms}::jsonb, case when n % ${open} = 0 then 'landing' else 'finalized' end, 'seed-1', 'creator-' || n % 500,
      'mint-' || n, case when n % 10 = 0 then 'reward' else 'standard' end, 'quote-' || n % 50, 'name ' || n, 'S' || n, 1,
      'signature-' || n, '', 'signature-' || n, ${at}, ${at}, ${at}, case when n % ${seldom} > 0 then ${at} end
      from ${rows}`.execute(db);
  await sql`insert into receipts (quote_id, kind, jws, digest, log_number, signed_at)
    select ${id}, case when n % 10 = 0 then 'notCharged' else 'completed' end, '', lpad(n::text, 64, '0'),
      case when n % ${seldom} > 0 then 1 end, now() - interval '1 day' from ${rows}`.execute(db);
  await sql`insert into late_quotes (signature, quote_id, wire, blockhash_slot, last_valid_block_height, refused_at, receipted_at)
    select 'late-' || n, ${id}, '', n, n, ${at}, case when n % ${seldom} > 0 then ${at} end from ${rows}`.execute(db);
  await sql`insert into launch_signatures (signature, quote_id, kind)
    select 'signature-' || n, ${id}, 'landed' from ${rows}`.execute(db);
  await sql`insert into launch_state_history (quote_id, state) select ${id}, 'received' from ${rows}`.execute(db);
  await sql`insert into launch_addresses (quote_id, seed_id, genesis_hash, launch_wallet, mint, position_mints, fee_key_mints,
      created_at, taken_at)
    select ${id}, 'seed-1', 'g', 'wallet-' || n, 'mint-' || n, '{a,b}', '{c,d}', ${at}, case when n % ${open} > 0 then ${at} end
    from ${rows}`.execute(db);
  await sql`insert into chain_transactions (purpose, attempt, signature, wire, blockhash, blockhash_slot,
      last_valid_block_height, status, slot, updated_at)
    select 'launch/' || ${id} || '/' || step, 1, 'signature-' || n || '-' || step, '', 'b', 1, 1,
      case when n % ${open} = 0 then 'landed' else 'finalized' end, 1, ${at}
    from ${rows}, generate_series(1, 4) as step`.execute(db);
  for (const part of partsOf(count))
    await sql`insert into tokens (mint, name, symbol, decimals, logo_url, metadata_uri, url, pool, quote_mint, quote_symbol,
      creator, fee_recipient, mode, fee_tier, pool_fee_percent, links, quote_id, created_at, created_slot)
    select 'mint-' || n, 'name ' || n, 'S' || n, 9, '', '', '', 'pool-' || n, 'quote-' || n % 50, 'Q', 'creator-' || n % 500,
      case when n % 10 = 0 then 'wallet-' || n % 500 end,
      'standard', '1%', 1, '{"website":""}', ${id}, ${at}, n from ${part}`.execute(db);
  await sql`insert into token_trading (mint, price_usd_before1h, price_usd_before6h, trades24h, traders24h, counted_at)
    select 'mint-' || n, 1, 1, n % 7, n % 5, ${at} from ${rows}`.execute(db);
  await sql`insert into price_observations (mint, usd, source, observed_at)
    select 'mint-' || n % 50, 1, 'fixed', ${at} from ${rows}`.execute(db);
  await fillFees(db, count, seldom);
  await fillAirdrops(db, count, open);
  await fillRewards(db, rows, open);
  await fillClaims(db, rows);
  await sql`vacuum analyze`.execute(db);
}

/**
 * The numbers 1 to `count` in parts, each for a transaction of its own: triggers of these rows update one row of sums, and its versions of one
 * transaction cannot be pruned.
 */
function partsOf(count: number): RawBuilder<unknown>[] {
  const size = 500;
  return Array.from({ length: Math.ceil(count / size) }, (_, part) => {
    const last = Math.min((part + 1) * size, count);
    return sql`generate_series(${sql.lit(part * size + 1)}, ${sql.lit(last)}) as n`;
  });
}

/** Public lists, which triggers of other tables would write one by one. */
async function fillLists(db: Db, rows: RawBuilder<unknown>): Promise<void> {
  await sql`insert into wallet_manifest (number, role, address, mint, event, slot)
    select n, case when n % 10 = 0 then 'pot' else 'launch' end, 'wallet-' || n, 'mint-' || n, 'used', n from ${rows}`.execute(
    db,
  );
  await sql`insert into sealed_logs (number, root, receipt_count, wallet_count, wallet_root, prices, seal_signature, seal_slot)
    select n, lpad(n::text, 64, '0'), 1, n, '', '[]', 'signature-' || n, n from ${rows}`.execute(db);
  await sql`insert into statement_rows (account, number, kind, mint, signature, slot, base_raw, quote_raw,
      total_base_in_raw, total_base_out_raw, total_quote_in_raw, total_quote_out_raw)
    select 'pot-' || n % 100, 1 + n / 100, 'harvest', 'mint-' || n, 'signature-' || n, n, 0, 1, 0, 0, n, 0 from ${rows}`.execute(
    db,
  );
}

/** Events and public lists are written here alone: by the triggers of all other rows they would take most of the time. */
async function fillEvents(db: Db, rows: RawBuilder<unknown>): Promise<void> {
  await sql`do $$
    declare writer record;
    begin
      for writer in select tgrelid::regclass as filled, tgname from pg_trigger join pg_proc on pg_proc.oid = tgfoid
        where (proname like 'write\\_%\\_event%'
          or proname in ('note_launch_wallet', 'note_pot', 'note_pot_movement', 'note_pot_correction', 'note_purchase'))
          and not tgisinternal
      loop
        execute format('alter table %s disable trigger %I', writer.filled, writer.tgname);
      end loop;
    end $$`.execute(db);
  await sql`insert into events (type, mint, wallet, creator, body)
    select case when n % 100 = 0 then 'burn' else 'trade.final' end, 'mint-' || n % 5000, 'wallet-' || n % 3000,
      'creator-' || n % 500, '{}' from ${rows}`.execute(db);
}

/** A position of the platform in each token, sweeps of which most are done, and what they brought and burned. */
async function fillFees(db: Db, count: number, seldom: RawBuilder<unknown>): Promise<void> {
  const at = sql`timestamptz '2026-01-01' + n * interval '1 minute'`;
  const rows = sql`generate_series(1, ${sql.lit(count)}) as n`;
  await sql`insert into pair_categories (name) values ('category')`.execute(db);
  await sql`insert into pairs (mint, symbol, name, decimals, token_program, category, price_source, price_source_id,
      price_max_age_ms, price_max_confidence_bps)
    select 'quote-' || n, 'Q' || n, 'Q', 6, 'p', 'category', 'fixed', 'q', 1000, 100 from generate_series(0, 49) as n`.execute(
    db,
  );
  await sql`insert into positions (mint, index, position_mint, fee_key_mint, holder, share_bps, liquidity, tick_lower,
      tick_upper, locked_signature)
    select 'mint-' || n, 2, 'position-' || n, 'key-' || n, 'platform', 5000, 1, 0, 120, 's' from ${rows}`.execute(db);
  await sql`update pool_cursors set seen = mint, fees_seen = case when right(mint, 2) = '77' then null else mint end`.execute(
    db,
  );
  await sql`insert into fee_sweeps (mint, number, fee_key_mint, claimable_base_raw, claimable_quote_raw, buyback_bps, state,
      settled_at, due_at)
    select 'mint-' || n, 1, 'key-' || n, 1, 1, 5000, case when n % ${seldom} = 0 then 'planned' else 'done' end,
      case when n % ${seldom} > 0 then ${at} end, ${at} from ${rows}`.execute(db);
  for (const part of partsOf(count))
    await sql`insert into fee_harvests (purpose, mint, number, pool, fee_key_mint, quote_mint, base_raw, quote_raw, buyback_bps,
      signature, slot, harvested_at)
    select 'fee-sweep/mint-' || n || '/1', 'mint-' || n, 1, 'pool-' || n, 'key-' || n, 'quote-' || n % 50, 1, 1, 5000,
      'harvest-' || n, 1, ${at} from ${part} where n % ${seldom} > 0`.execute(db);
  await sql`insert into burns (mint, amount_raw, signature, kind, burned_at)
    select 'mint-' || n, 1, 'burn-' || n, (array['fee-sweep', 'buyback', 'flywheel'])[1 + n % 3], ${at} from ${rows}`.execute(
    db,
  );
  await fillBuybacks(db, count, seldom);
}

/** Purchases, most of them done. */
async function fillBuybacks(db: Db, count: number, seldom: RawBuilder<unknown>): Promise<void> {
  for (const part of partsOf(count))
    await sql`insert into buyback_rounds (id, kind, mint, number, quote_mint, most_raw, state, spent_raw, bought_raw, signature, slot,
      planned_at, settled_at)
    select 'buyback-mint-' || n || '-1', 'buyback', 'mint-' || n, 1, 'quote-' || n % 50, 1, state,
      case when state = 'done' then 1 end, case when state = 'done' then 1 end,
      case when state = 'done' then 'bought-' || n end, case when state = 'done' then 1 end,
      timestamptz '2026-01-01' + n * interval '1 minute', case when state = 'done' then now() end
    from ${part}, lateral (select case when n % ${seldom} = 0 then 'planned' else 'done' end as state) as s`.execute(
      db,
    );
}

/** Every tenth launch is one with an airdrop, most of them delivered; a few sets of recipients have expired. */
async function fillAirdrops(db: Db, count: number, open: RawBuilder<unknown>): Promise<void> {
  const id = sql`('00000000-0000-4000-8000-' || lpad((n * 10)::text, 12, '0'))::uuid`;
  const at = sql`timestamptz '2026-01-01' + n * interval '1 minute'`;
  const hash = sql`encode(sha256(convert_to('set ' || n, 'UTF8')), 'hex')`;
  const rows = sql`generate_series(1, ${sql.lit(Math.floor(count / 10))}) as n`;
  await sql`insert into recipient_sets (hash, document, keep_until)
    select ${hash}, convert_to('set ' || n, 'UTF8'), case when n > ${sql.lit(Math.floor(count / 10))} then ${at} else 'infinity' end
    from generate_series(1, ${sql.lit(Math.floor(count / 10) + 20)}) as n`.execute(db);
  await sql`insert into airdrops (quote_id, mint, share_raw, recipients_hash, recipients_uri, planned_at, delivered_at)
    select ${id}, 'mint-' || n * 10, 100, ${hash}, '', ${at}, case when n % ${open} > 0 then ${at} end from ${rows}`.execute(
    db,
  );
  await sql`insert into airdrop_batches (quote_id, batch, signature, slot, delivered_at)
    select ${id}, batch, case when n % ${open} > 0 then 's' end, case when n % ${open} > 0 then 1 end, case when n % ${open} > 0 then ${at} end
    from ${rows}, generate_series(1, 5) as batch`.execute(db);
  await sql`insert into airdrop_shares (quote_id, position, wallet, amount_raw, batch)
    select ${id}, place, 'wallet-' || place, 1, 1 + place / 7 from ${rows}, generate_series(0, 34) as place`.execute(
    db,
  );
  await sql`insert into labelled_wallets (address, label, added_by)
    select 'exchange-' || n, 'exchange', 'test' from ${rows}`.execute(db);
}

/** A reward round of every token, the last hundredth of them open, with a payout each. */
async function fillRewards(db: Db, rows: RawBuilder<unknown>, open: RawBuilder<unknown>): Promise<void> {
  const id = sql`('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid`;
  const at = sql`timestamptz '2026-01-01' + n * interval '1 minute'`;
  const root = sql`lpad(n::text, 64, '0')`;
  await sql`insert into reward_tokens (mint, seed_id, pot, looked_at, paid_usd, transactions, rounds)
    select 'mint-' || n, 's', 'pot-' || n, ${at}, n % 997, 1, 1 from ${rows}`.execute(db);
  await sql`insert into proof_documents (root, row_count, byte_count) select ${root}, 1, 100 from ${rows}`.execute(db);
  await sql`insert into reward_rounds (id, mint, number, state, opened_slot, sell_at, planned_at, ended_at, sealed_root)
    select ${id}, 'mint-' || n, 1, case when n % ${open} = 0 then 'paying' else 'done' end, n, ${at}, ${at},
      case when n % ${open} > 0 then ${at} end, ${root} from ${rows}`.execute(db);
  await sql`insert into reward_transactions (round_id, n, mint, kind, state, signature, slot, landed_at)
    select ${id}, 1, 'mint-' || n, 'seal', 'done', 'seal-' || n, n, ${at} from ${rows}`.execute(db);
  await sql`insert into reward_snapshots (round_id, n, slot, blockhash, read_slot, answer_slots, quorum)
    select ${id}, 0, 1, 'b', 2, array[2]::bigint[], 1 from ${rows}`.execute(db);
  await sql`insert into reward_transactions (round_id, n, mint, kind, state, paid_raw, signature, slot, landed_at)
    select ${id}, 0, 'mint-' || n, 'payout', 'done', 1, 'reward-' || n, n, ${at} from ${rows}`.execute(db);
  await sql`insert into reward_left_out_counts (round_id, reason, owners) select ${id}, 'pool', 1 from ${rows}`.execute(
    db,
  );
  await sql`insert into reward_left_out (round_id, owner, reason, balance_raw)
    select ${id}, 'pool-' || n, 'pool', n from ${rows}`.execute(db);
  await sql`insert into reward_corrections (mint, base_raw, quote_raw) select 'mint-' || n, -1, 0 from ${rows}`.execute(
    db,
  );
  await sql`insert into reward_payouts (round_id, owner, n, state, balance_raw, amount_raw, rent_raw, paid_at)
    select ${id}, 'owner-' || n % 500, 0, 'paid', 1, 1, 0, ${at} from ${rows}`.execute(db);
}

/** A paid claim of every token. */
async function fillClaims(db: Db, rows: RawBuilder<unknown>): Promise<void> {
  await sql`insert into claim_intents (intent_id, mint, wallet, fee_key_mint, nonce_account, nonce, message, base_raw, quote_raw,
      issued_slot, holds_fee_key, state, signature, issued_at, expires_at)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'mint-' || n, 'wallet-' || n % 500, 'key-' || n, 'nonce-' || n,
      'n', '', 1, 1, n, true, 'finalized', 'claim-' || n, at, at + interval '90 seconds'
    from ${rows}, lateral (select timestamptz '2026-01-01' + n * interval '1 minute' as at) as issued`.execute(db);
}
