import { type Kysely, sql } from 'kysely';

/** Launches and claims that the chain has and no row names, and how far each wallet's history was read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table unknown_work (
      subject text collate "C" primary key,
      signature text collate "C" not null,
      slot bigint not null,
      quote_id uuid unique,
      seed_id text,
      mint text collate "C",
      payment_signature text collate "C" unique,
      terms_key text collate "C",
      found_at timestamptz not null default now(),
      closed_at timestamptz
    );
    comment on table unknown_work is 'Launches and claims that a quorum shows and that this database does not know: it was restored.';
    comment on column unknown_work.signature is 'The finalized transaction by which it was found.';
    comment on column unknown_work.payment_signature is 'Of a launch; null until its payment was found.';
    comment on column unknown_work.closed_at is 'When an operator took note of it: it is no finding any more.';
    comment on column unknown_work.terms_key is 'Of a launch: key of its terms in the permanent store; null if it names none.';

    create table read_histories (
      address text collate "C" primary key,
      slot bigint not null
    );
    comment on table read_histories is 'Up to which finalized slot the history of a wallet was compared with the books.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table read_histories, unknown_work`.execute(db);
}
