import { type Kysely, sql } from 'kysely';

/** Every transaction that moves money, persisted before it is sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
      primary key (purpose, attempt),
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
    comment on column chain_transactions.purpose is 'Key of the money movement, also the memo: at most one transaction of a purpose takes effect.';
    comment on column chain_transactions.blockhash_slot is 'Slot at which the blockhash was read; the transaction cannot have landed before it.';
    comment on column chain_transactions.wire is 'The fully signed transaction; exactly these bytes are sent, however often.';
    comment on column chain_transactions.error_finalized is 'The error is in a finalized block. Until then a failed transaction may succeed on another fork, so its purpose stays taken.';

    create unique index chain_transactions_one_live on chain_transactions (purpose)
      where status in ('signed', 'broadcasting', 'landed', 'finalized') or (status = 'failed' and not error_finalized);
    create index chain_transactions_open on chain_transactions (updated_at)
      where status in ('signed', 'broadcasting', 'landed') or (status = 'failed' and not error_finalized);

    create function check_chain_transaction_change() returns trigger language plpgsql as $$
    begin
      if (new.purpose, new.attempt, new.signature, new.wire, new.blockhash, new.blockhash_slot, new.last_valid_block_height)
        is distinct from (old.purpose, old.attempt, old.signature, old.wire, old.blockhash, old.blockhash_slot, old.last_valid_block_height)
      then
        raise exception 'transaction % of % is signed and cannot change', old.attempt, old.purpose
          using errcode = 'restrict_violation';
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
      for each row execute function check_chain_transaction_change();
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table chain_transactions;
    drop function check_chain_transaction_change();
  `.execute(db);
}
