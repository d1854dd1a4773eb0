import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table claim_nonces (
      mint text collate "C" primary key references tokens on delete cascade,
      nonce_account text collate "C" not null unique,
      authority text collate "C" not null,
      created_at timestamptz not null default now()
    );
    comment on table claim_nonces is 'Durable nonce account of a launch. Every claim of a mint advances it, so that of several at most one lands.';
    comment on column claim_nonces.authority is 'Platform wallet that may advance it; the worker replaces the row when it has another key.';

    create table claim_intents (
      intent_id uuid primary key,
      mint text collate "C" not null references tokens on delete cascade,
      wallet text collate "C" not null,
      fee_key_mint text collate "C" not null,
      nonce_account text collate "C" not null,
      nonce text collate "C" not null,
      message bytea not null,
      signed_message bytea,
      base_raw numeric(20, 0) not null check (base_raw >= 0),
      quote_raw numeric(20, 0) not null check (quote_raw >= 0),
      issued_slot bigint not null check (issued_slot >= 0),
      holds_fee_key boolean not null,
      state text not null default 'issued',
      signature text collate "C" unique,
      refusal text,
      reason text,
      slot bigint,
      issued_at timestamptz not null default now(),
      expires_at timestamptz not null,
      submitted_at timestamptz,
      relayed_at timestamptz,
      settled_at timestamptz,
      updated_at timestamptz not null default now(),
      constraint claim_intents_state check (state in (
        'issued', 'submitted', 'relaying', 'killing', 'relayed', 'finalized', 'not_landed', 'refused', 'expired'
      )),
      constraint claim_intents_signature check ((signature is null) = (state in ('issued', 'expired'))),
      constraint claim_intents_refusal check ((refusal is null) = (state <> 'refused')),
      constraint claim_intents_refusal_code check (refusal in ('forbidden', 'conflict')),
      constraint claim_intents_expiry check (expires_at > issued_at)
    );
    comment on column claim_intents.message is 'The issued transaction''s message. Nothing but it, and what wallets may add to it, is relayed.';
    comment on column claim_intents.signed_message is 'The message that the wallet signed: the issued one, and what the wallet added. Null until then, and where nothing was added.';
    comment on column claim_intents.nonce is 'Value of the nonce account that the message carries in place of a blockhash.';
    comment on column claim_intents.issued_slot is 'Slot at which the nonce was read; the transaction cannot have landed before it.';
    comment on column claim_intents.base_raw is 'Fees in the launched token when it was issued, raw units.';
    comment on column claim_intents.holds_fee_key is 'Whether the wallet held the Fee Key at prepare. Without it the platform never signs.';
    comment on column claim_intents.signature is 'The creator''s signature over the message: the id of the transaction once the platform has signed too.';
    comment on column claim_intents.slot is 'Slot in which it landed, while it has.';
    create index claim_intents_expired on claim_intents (settled_at) where state = 'expired';
    create index claim_intents_open on claim_intents (mint, wallet, expires_at desc) where state = 'issued';
    create index claim_intents_untended on claim_intents (updated_at, intent_id)
      where state not in ('finalized', 'not_landed', 'refused', 'expired');
    create index claim_intents_newest on claim_intents (issued_at desc, intent_id);
    create index claim_intents_held on claim_intents (wallet, mint) where holds_fee_key;
    create index claim_intents_paid on claim_intents (wallet, issued_at, intent_id) where state in ('relayed', 'finalized');
    create index claim_intents_of_mint on claim_intents (mint, issued_at desc, intent_id);
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table claim_intents, claim_nonces`.execute(db);
}
