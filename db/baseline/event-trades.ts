import type { Kysely } from 'kysely';
import { createWriter, dropWriter, type FactWriter } from './event-facts.ts';

/** Selects the event rows, with one insert per statement. The signature stays bytes: base58 costs time. */
const rowsOf = (source: string, type: string, condition: string) => `
    select ${type} as type, cursor.mint, base58(swap.wallet) as wallet, tokens.creator,
      jsonb_build_object('signatureHex', encode(swap.signature, 'hex'), 'index', swap.index, 'slot', swap.slot,
        'tradedAt', swap.block_time, 'side', case when swap.is_buy then 'buy' else 'sell' end, 'baseRaw', swap.base_raw::text,
        'quoteRaw', swap.quote_raw::text, 'priceQuote', swap.price_quote::text, 'quoteUsd', swap.quote_usd::text) as body,
      swap.slot, swap.slot_order, swap.index
    from ${source} as swap join pool_cursors as cursor on cursor.number = swap.pool_number
    join tokens on tokens.mint = cursor.mint
    where swap.month <> 0 and ${condition}`;

const INTO = 'insert into events (type, mint, wallet, creator, body) select type, mint, wallet, creator, body from';
const IN_ORDER = 'as told order by type desc, slot, slot_order, index';

/** Facts of a trade that are compared, without its USD price and its place within the slot. */
const FACTS = ['slot', 'block_time', 'is_buy', 'wallet', 'base_raw', 'quote_raw', 'price_quote'];
const factsOf = (row: string) => `(${FACTS.map((fact) => `${row}.${fact}`).join(', ')})`;

/**
 * Writes an event for each stored swap. Above the pool's cursor it is `confirmed`. Below, the statement that moves the
 * cursor reports it as final; only a repair adds swaps there without moving the cursor.
 */
const STORED: FactWriter = {
  name: 'write_trade_events',
  body: `
    ${INTO} (${rowsOf('added', `case when swap.slot > cursor.finalized_slot then 'trade.confirmed' else 'trade.final' end`, `(swap.slot > cursor.finalized_slot or current_setting('slipway.repair', true) = 'on')`)}) ${IN_ORDER};`,
  triggers: [['market_swaps', 'after insert on market_swaps referencing new table as added for each statement']],
};

/** A fork that moved a swap reverted the old one. */
const MOVED: FactWriter = {
  name: 'write_moved_trade_events',
  body: `
    ${INTO} (
      ${rowsOf('gone', `'trade.withdrawn'`, `exists (select from added where added.pool_number = swap.pool_number and added.signature = swap.signature and added.index = swap.index and ${factsOf('added')} is distinct from ${factsOf('swap')})`)}
      union all
      ${rowsOf('added', `'trade.confirmed'`, `exists (select from gone where gone.pool_number = swap.pool_number and gone.signature = swap.signature and gone.index = swap.index and ${factsOf('gone')} is distinct from ${factsOf('swap')}) and swap.slot > cursor.finalized_slot`)}
    ) ${IN_ORDER};`,
  triggers: [
    [
      'market_swaps',
      'after update on market_swaps referencing old table as gone new table as added for each statement',
    ],
  ],
};

const WITHDRAWN: FactWriter = {
  name: 'write_withdrawn_trade_events',
  body: `
    ${INTO} (${rowsOf('gone', `'trade.withdrawn'`, 'true')}) ${IN_ORDER};`,
  triggers: [['market_swaps', 'after delete on market_swaps referencing old table as gone for each statement']],
};

/** A moved cursor makes the swaps up to it final. */
const FINAL: FactWriter = {
  name: 'write_final_trade_events',
  body: `
    ${INTO} (${rowsOf('market_swaps', `'trade.final'`, 'swap.pool_number = new.number and swap.slot > old.finalized_slot and swap.slot <= new.finalized_slot')}) ${IN_ORDER};`,
  triggers: [
    [
      'pool_cursors',
      'after update of finalized_slot on pool_cursors for each row when (new.finalized_slot > old.finalized_slot)',
    ],
  ],
};

const WRITERS = [STORED, MOVED, WITHDRAWN, FINAL];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const writer of WRITERS) await createWriter(db, writer);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const writer of WRITERS.toReversed()) await dropWriter(db, writer);
}
