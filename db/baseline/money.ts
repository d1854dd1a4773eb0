import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createLanes(db);
  await createTransactions(db);
}

async function createLanes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table lanes (
      lane integer primary key check (lane >= 0),
      mint text collate "C" not null unique,
      account text collate "C" not null unique,
      authority text collate "C" not null,
      seed_id text collate "C" not null,
      number integer not null default 0 check (number >= 0),
      value numeric(20, 0) not null default 0 check (value >= 0),
      slot bigint not null default 0 check (slot >= 0),
      moved_at timestamptz not null default now(),
      learned_slot bigint check (learned_slot >= 0),
      constraint lanes_value check (number = floor(value / 1099511627776))
    );
    create function note_lane() returns trigger language plpgsql as $$
    begin
      perform note_wallet('lane', new.mint, null, 'used', new.slot);
      return null;
    end $$;
    create trigger lanes_note after insert on lanes for each row execute function note_lane();
    comment on table lanes is 'Mints whose supply says which movement of money happened last in each lane.';
    comment on column lanes.seed_id is 'Launch seed that the secret of the lanes follows from.';
    comment on column lanes.value is 'The supply that the ledger knows to be final; every step up to it is in lane_steps. Movements are signed on it alone.';
    comment on column lanes.number is 'Number of the step that made the value: its upper 24 of 64 bits.';

    comment on column lanes.learned_slot is 'Finalized slot at which the chain was last found to be further than the ledger: it had forgotten something.';

    create table lane_steps (
      lane integer not null references lanes,
      number integer not null check (number > 0),
      to_value numeric(20, 0) not null,
      from_value numeric(20, 0) not null,
      digest bytea not null check (length(digest) = 32),
      purpose text collate "C",
      state text not null default 'open',
      signature text collate "C" unique,
      slot bigint check (slot >= 0),
      opened_at timestamptz not null default now(),
      settled_at timestamptz,
      primary key (lane, number, to_value),
      constraint lane_steps_state check (state in ('open', 'done', 'void')),
      constraint lane_steps_done check ((state = 'done') = (signature is not null) and (signature is null) = (slot is null)),
      constraint lane_steps_named check (purpose is not null or state = 'done'),
      constraint lane_steps_value check (number = floor(to_value / 1099511627776))
    );
    comment on table lane_steps is 'Signed steps of lanes. Rivals share a number; at most one of them is ever done. Never deleted: they prove what happened.';
    comment on column lane_steps.digest is 'Of everything that follows the step in its transaction.';
    comment on column lane_steps.purpose is 'Null where the chain showed a step that no purpose of the ledger explains yet.';
    comment on column lane_steps.state is 'open: may happen; done: final; void: another step has its number.';
    create unique index lane_steps_one_done on lane_steps (lane, number) where state = 'done';
    create unique index lane_steps_purpose_once on lane_steps (purpose) where state = 'done';
    create index lane_steps_purpose on lane_steps (purpose);
    create index lane_steps_unnamed on lane_steps (lane) where purpose is null;
    create index lane_steps_open on lane_steps (lane) where state = 'open';
  `.execute(db);
}

async function createTransactions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table chain_transactions (
      purpose text collate "C" not null,
      attempt integer not null check (attempt >= 1),
      signature text collate "C" not null unique,
      wire bytea not null,
      blockhash text collate "C" not null,
      blockhash_slot bigint not null check (blockhash_slot >= 0),
      last_valid_block_height bigint not null,
      status text not null default 'signed',
      slot bigint,
      error text,
      error_finalized boolean not null default false,
      signed_at timestamptz not null default now(),
      broadcast_at timestamptz,
      landed_at timestamptz,
      settled_at timestamptz,
      updated_at timestamptz not null default now(),
      lane integer,
      step_number integer,
      step_to numeric(20, 0),
      primary key (purpose, attempt),
      constraint chain_transactions_step foreign key (lane, step_number, step_to) references lane_steps,
      constraint chain_transactions_step_whole check (num_nulls(lane, step_number, step_to) in (0, 3)),
      constraint chain_transactions_status check (status in (
        'signed', 'broadcasting', 'landed', 'failed', 'finalized', 'dead', 'abandoned'
      )),
      constraint chain_transactions_slot check (
        case status
          when 'landed' then slot is not null
          when 'failed' then slot is not null
          when 'finalized' then slot is not null
          when 'dead' then true
          else slot is null
        end
      ),
      constraint chain_transactions_error check (
        case status when 'failed' then error is not null when 'dead' then true else error is null end
      ),
      constraint chain_transactions_error_finalized check (status = 'failed' or not error_finalized)
    );
    comment on table chain_transactions is 'Transactions that move money: signed, persisted, sent, confirmed, finalized, in this order.';
    comment on column chain_transactions.purpose is 'Key of the money movement: at most one transaction of a purpose takes effect.';
    comment on column chain_transactions.lane is 'With step_number and step_to the step that it makes: transactions of one movement exclude each other by it.';
    comment on column chain_transactions.blockhash_slot is 'Slot at which the blockhash was read; the transaction cannot have landed before it.';
    comment on column chain_transactions.wire is 'The fully signed transaction; exactly these bytes are sent, however often.';
    comment on column chain_transactions.error_finalized is 'The error is in a finalized block. Until then a failed transaction may succeed on another fork, so its purpose stays taken.';

    create unique index chain_transactions_one_live on chain_transactions (purpose)
      where lane is null and (status in ('signed', 'broadcasting', 'landed', 'finalized') or (status = 'failed' and not error_finalized));
    create index chain_transactions_step on chain_transactions (lane, step_number) where lane is not null;
    create index chain_transactions_ended on chain_transactions (settled_at) where lane is null and settled_at is not null;
    create index chain_transactions_open on chain_transactions (updated_at)
      where status in ('signed', 'broadcasting', 'landed') or (status = 'failed' and not error_finalized);

    create function check_chain_transaction_change() returns trigger language plpgsql as $$
    begin
      if (new.purpose, new.attempt, new.signature, new.wire, new.blockhash, new.blockhash_slot, new.last_valid_block_height, new.lane, new.step_number, new.step_to)
        is distinct from (old.purpose, old.attempt, old.signature, old.wire, old.blockhash, old.blockhash_slot, old.last_valid_block_height, old.lane, old.step_number, old.step_to)
      then
        raise exception 'transaction % of % is signed and cannot change', old.attempt, old.purpose
          using errcode = 'restrict_violation';
      end if;
      -- Of a lane's transactions "dead" is an opinion; the lane's value is what says whether one of them happened.
      if old.lane is not null and old.status = 'dead' and new.status = 'finalized' then
        return new;
      end if;
      if old.status in ('finalized', 'dead', 'abandoned') or old.error_finalized
        or (new.status = 'signed' and old.status <> 'signed')
        or (new.status = 'abandoned' and old.status <> 'signed')
        or (new.status = 'dead' and old.status = 'landed')
      then
        raise exception 'transaction % of % cannot go from % to %', old.attempt, old.purpose, old.status, new.status
          using errcode = 'restrict_violation';
      end if;
      return new;
    end $$;
    create trigger chain_transactions_change before update on chain_transactions
      for each row when (not is_correction()) execute function check_chain_transaction_change();
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table chain_transactions, lane_steps, lanes;
    drop function check_chain_transaction_change, note_lane;
  `.execute(db);
}
