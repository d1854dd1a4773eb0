import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table proof_documents (
      root text collate "C" primary key check (root ~ '^[0-9a-f]{64}$'),
      row_count integer not null check (row_count >= 0),
      byte_count bigint not null check (byte_count > 0),
      created_at timestamptz not null default now()
    );
    comment on table proof_documents is 'Documents that the platform commits to on the chain, by the Merkle root of their lines.';
    comment on column proof_documents.byte_count is 'Length of the text in UTF-8.';

    create table proof_document_parts (
      root text collate "C" not null references proof_documents on delete cascade,
      n integer not null check (n >= 0),
      body bytea not null,
      primary key (root, n)
    );
    comment on column proof_document_parts.body is 'Gzip of one piece of the text; the pieces in order are the document.';

    create table sealed_logs (
      number integer primary key check (number > 0),
      root text collate "C" not null check (root ~ '^[0-9a-f]{64}$'),
      receipt_count integer check (receipt_count >= 0),
      wallet_count integer check (wallet_count >= 0),
      wallet_root text collate "C",
      seal_signature text collate "C",
      seal_slot bigint,
      written_at timestamptz not null default now(),
      constraint sealed_logs_seal check ((seal_signature is null) = (seal_slot is null)),
      constraint sealed_logs_content check (
        (receipt_count is null) = (wallet_count is null) and (receipt_count is null) = (wallet_root is null)
      )
    );
    comment on table sealed_logs is 'Logs of receipts and of the list of wallets; each is sealed on the chain once.';
    comment on column sealed_logs.root is 'Of the document that the seal names.';
    comment on column sealed_logs.receipt_count is 'Null: the chain has the seal of a document that a restored database lost.';
    comment on column sealed_logs.wallet_count is 'Entries of the list of wallets that it commits to.';
    comment on column sealed_logs.seal_signature is 'The final transaction that names the root; null before.';
    create unique index sealed_logs_open on sealed_logs ((seal_signature is null)) where seal_signature is null;
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table sealed_logs, proof_document_parts, proof_documents`.execute(db);
}
