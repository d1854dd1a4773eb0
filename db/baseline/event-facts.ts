import { type Kysely, sql } from 'kysely';

export interface FactWriter {
  readonly name: string;
  /** PL/pgSQL. */
  readonly body: string;
  /** With its table, for dropping it. */
  readonly triggers: readonly (readonly [table: string, occasion: string])[];
}

const CREATOR = '(select creator from tokens where tokens.mint = new.mint)';

/** Clients see a launch's public status; steps between are no events. */
const LAUNCH: FactWriter = {
  name: 'write_launch_event',
  // Until a launch has landed or is refunded, nothing here leads to its mint or name: a sniper could use them.
  body: `
    insert into events (type, mint, wallet, creator, body)
    select 'launch.' || status, case when status = 'completed' then new.mint end, new.creator, new.creator,
      jsonb_build_object('quoteId', new.quote_id, 'slot', new.slot, 'refundSignature', new.refund_signature,
        'paymentSignature', case when status in ('completed', 'refunded') then new.payment_signature end)
    from launch_status(new.state) as status;`,
  triggers: [
    ['launches', 'after insert on launches for each row'],
    [
      'launches',
      'after update of state on launches for each row when (launch_status(old.state) <> launch_status(new.state))',
    ],
  ],
};

const TOKEN: FactWriter = {
  name: 'write_token_event',
  body: `
    insert into events (type, mint, wallet, creator, body)
    values (case when new.withdrawn_at is null then 'token.launched' else 'token.withdrawn' end, new.mint, new.creator, new.creator,
      jsonb_build_object('slot', new.created_slot, 'createdAt', new.created_at, 'marketCapUsd', null));`,
  triggers: [
    ['tokens', 'after insert on tokens for each row'],
    [
      'tokens',
      'after update of withdrawn_at on tokens for each row when ((old.withdrawn_at is null) <> (new.withdrawn_at is null))',
    ],
  ],
};

const GRADUATION: FactWriter = {
  name: 'write_graduation_event',
  body: `
    insert into events (type, mint, wallet, creator, body)
    select 'token.graduated', new.mint, creator, creator,
      jsonb_build_object('slot', new.last_slot, 'createdAt', created_at, 'marketCapUsd', new.high_water_market_cap_usd::text)
    from tokens where mint = new.mint;`,
  triggers: [
    [
      'token_markets',
      `after update of status on token_markets for each row when (old.status <> 'graduated' and new.status = 'graduated')`,
    ],
  ],
};

const CLAIM: FactWriter = {
  name: 'write_claim_event',
  body: `
    insert into events (type, mint, wallet, creator, body)
    values ('claim.paid', new.mint, new.wallet, ${CREATOR}, jsonb_build_object('intentId', new.intent_id,
      'signature', new.signature, 'slot', new.slot, 'baseRaw', new.base_raw::text, 'quoteRaw', new.quote_raw::text));`,
  triggers: [
    [
      'claim_intents',
      `after update of state on claim_intents for each row when (old.state <> 'finalized' and new.state = 'finalized')`,
    ],
  ],
};

const ROUND: FactWriter = {
  name: 'write_round_event',
  body: `
    insert into events (type, mint, creator, body)
    select type, new.mint, ${CREATOR}, jsonb_build_object('id', new.id, 'number', new.number, 'note', new.note,
      'budgetRaw', new.budget_raw::text, 'holders', new.holders, 'sealedRoot', new.sealed_root,
      'paidRaw', sums.paid_raw::text, 'recipients', sums.recipients)
    from (select case new.state when 'collecting' then 'round.observed' when 'sealing' then 'round.divided'
        when 'done' then 'round.paid' end as type) as named
    cross join lateral (select coalesce(sum(paid_raw), 0) as paid_raw, coalesce(sum(recipients), 0) as recipients
      from reward_transactions where round_id = new.id and state = 'done' and new.state = 'done') as sums;`,
  triggers: [
    [
      'reward_rounds',
      `after update of state on reward_rounds for each row
        when (old.state <> new.state and new.state in ('collecting', 'sealing', 'done'))`,
    ],
  ],
};

const PAYOUTS: FactWriter = {
  name: 'write_payout_events',
  body: `
    insert into events (type, mint, wallet, creator, body)
    select 'payout.paid', round.mint, paid.owner, tokens.creator, jsonb_build_object('roundId', round.id, 'number', round.number,
      'amountRaw', paid.amount_raw::text, 'rentRaw', paid.rent_raw::text, 'quoteUsd', round.quote_usd::text,
      'signature', moved.signature, 'slot', moved.slot, 'landedAt', moved.landed_at)
    from added as paid join gone using (round_id, owner) join reward_rounds as round on round.id = paid.round_id
    join reward_transactions as moved on moved.round_id = paid.round_id and moved.n = paid.n
    join tokens on tokens.mint = round.mint
    where paid.state = 'paid' and gone.state <> 'paid' and paid.kind = 'holder' order by paid.owner;`,
  triggers: [
    [
      'reward_payouts',
      'after update on reward_payouts referencing old table as gone new table as added for each statement',
    ],
  ],
};

const HARVEST: FactWriter = {
  name: 'write_harvest_event',
  body: `
    insert into events (type, mint, creator, body)
    values ('harvest', new.mint, ${CREATOR}, jsonb_build_object('signature', new.signature, 'slot', new.slot,
      'quoteMint', new.quote_mint, 'baseRaw', new.base_raw::text, 'quoteRaw', new.quote_raw::text,
      'valueUsd', new.value_usd::text, 'buybackBps', new.buyback_bps, 'harvestedAt', new.harvested_at));`,
  triggers: [['fee_harvests', 'after insert on fee_harvests for each row']],
};

const BURN: FactWriter = {
  name: 'write_burn_event',
  body: `
    insert into events (type, mint, creator, body)
    values ('burn', new.mint, ${CREATOR}, jsonb_build_object('signature', new.signature, 'kind', new.kind,
      'amountRaw', new.amount_raw::text, 'valueUsd', new.value_usd::text, 'burnedAt', new.burned_at));`,
  triggers: [['burns', 'after insert on burns for each row']],
};

const BUYBACK: FactWriter = {
  name: 'write_buyback_event',
  body: `
    insert into events (type, mint, creator, body)
    values ('buyback', new.mint, ${CREATOR}, jsonb_build_object('id', new.id, 'kind', new.kind, 'quoteMint', new.quote_mint,
      'spentRaw', new.spent_raw::text, 'boughtRaw', new.bought_raw::text, 'quoteUsd', new.quote_usd::text,
      'signature', new.signature, 'slot', new.slot));`,
  triggers: [
    // A purchase that a restored database finds on the chain is inserted as bought.
    ['buyback_rounds', `after insert on buyback_rounds for each row when (new.state = 'bought')`],
    [
      'buyback_rounds',
      `after update of state on buyback_rounds for each row when (old.state = 'planned' and new.state = 'bought')`,
    ],
  ],
};

const AIRDROP: FactWriter = {
  name: 'write_airdrop_event',
  body: `
    insert into events (type, mint, creator, body)
    select 'airdrop.delivered', new.mint, ${CREATOR}, jsonb_build_object('shareRaw', new.share_raw::text,
      'deliveredRaw', new.delivered_raw::text, 'recipients', count(*), 'recipientsUri', new.recipients_uri)
    from airdrop_shares join airdrop_batches using (quote_id, batch)
    where quote_id = new.quote_id and airdrop_batches.delivered_at is not null;`,
  triggers: [
    [
      'airdrops',
      'after update of delivered_at on airdrops for each row when (old.delivered_at is null and new.delivered_at is not null)',
    ],
  ],
};

const PAIR_COLUMNS = `'symbol', pairs.symbol, 'name', pairs.name, 'category', pairs.category`;

const PAIR: FactWriter = {
  name: 'write_pair_event',
  body: `
    insert into events (type, mint, body)
    select case new.status when 'active' then 'pair.added' else 'pair.retired' end, mint, jsonb_build_object(${PAIR_COLUMNS})
    from pairs join pair_categories on pair_categories.name = pairs.category
    where mint = new.mint and not pair_categories.retired;`,
  triggers: [
    ['pairs', 'after insert on pairs for each row'],
    ['pairs', 'after update of status on pairs for each row when (old.status <> new.status)'],
  ],
};

/** A retired category retires all its active pairs. */
const CATEGORY: FactWriter = {
  name: 'write_category_events',
  body: `
    insert into events (type, mint, body)
    select case when new.retired then 'pair.retired' else 'pair.added' end, mint, jsonb_build_object(${PAIR_COLUMNS})
    from pairs where category = new.name and status = 'active' order by mint;`,
  triggers: [
    ['pair_categories', 'after update of retired on pair_categories for each row when (old.retired <> new.retired)'],
  ],
};

const SWITCH: FactWriter = {
  name: 'write_switch_event',
  body: `
    insert into events (type, body) values ('switch.changed', jsonb_build_object('name', new.name, 'value', new.value));`,
  triggers: [['switches', 'after update of value on switches for each row when (old.value <> new.value)']],
};

const WRITERS = [
  LAUNCH,
  TOKEN,
  GRADUATION,
  CLAIM,
  ROUND,
  PAYOUTS,
  HARVEST,
  BURN,
  BUYBACK,
  AIRDROP,
  PAIR,
  CATEGORY,
  SWITCH,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function launch_status(state text) returns text language sql immutable strict parallel safe
      return case
        when state in ('completed', 'finalized') then 'completed'
        when state in ('needs_recovery', 'refunding') then 'needs_recovery'
        when state = 'refunded' then 'refunded'
        when state = 'not_landed' then 'not_charged'
        else 'processing'
      end;
    comment on function launch_status is 'Public status of a launch in this state: the second word of its event.';
  `.execute(db);
  for (const writer of WRITERS) await createWriter(db, writer);
}

/** Roles that may write the fact, such as the API's, need no right to write events: the function has its owner's. */
export async function createWriter(db: Kysely<unknown>, { name, body, triggers }: FactWriter): Promise<void> {
  await sql`
    create function ${sql.id(name)}() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      ${sql.raw(body)}
      return null;
    end $$;
  `.execute(db);
  for (const [index, [, occasion]] of triggers.entries()) {
    await sql`
      create trigger ${triggerOf(name, index)} ${sql.raw(occasion)} execute function ${sql.id(name)}()
    `.execute(db);
  }
}

const triggerOf = (writer: string, index: number) => sql.id(`${writer}_${index + 1}`);

export async function dropWriter(db: Kysely<unknown>, { name, triggers }: FactWriter): Promise<void> {
  for (const [index, [table]] of triggers.entries()) {
    await sql`drop trigger ${triggerOf(name, index)} on ${sql.id(table)}`.execute(db);
  }
  await sql`drop function ${sql.id(name)}`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const writer of WRITERS.toReversed()) await dropWriter(db, writer);
  await sql`drop function launch_status`.execute(db);
}
