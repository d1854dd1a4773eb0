import { sql } from 'kysely';
import { type Db, transaction } from './connect.ts';
import { RefusedError } from './errors.ts';

/** The API, which serves strangers, must not read signed bytes, pending movements and webhook secrets. */
const UNREAD = ['chain_transactions', 'lanes', 'lane_steps', 'webhook_endpoints'];

/** Columns that a launch's page shows. */
const SHOWN = 'purpose, attempt, signature, status, slot, error_finalized, landed_at';

/** Proposals, which the worker derives again, and counters; no amount, no state that causes a payment. */
const WRITES = [
  'insert, delete on late_quotes',
  'insert on launches, launch_signatures, launch_state_history, launch_logos, launch_changes',
  'update (taken_at) on launch_addresses',
  'insert, update (keep_until) on recipient_sets',
  'insert, update (state, signature, signed_message, submitted_at, expires_at, base_raw, quote_raw, settled_at, updated_at) on claim_intents',
  'insert, update, delete on rate_counters',
  'insert on environment',
];

/**
 * A stranger who takes over the API's connection can make proposals, but not change what is paid. One transaction;
 * replaces earlier grants; run it after each migration.
 */
export async function grantToApi(db: Db, role: string): Promise<void> {
  await transaction(db, async (tx) => {
    await assertFit(tx, role);
    const grantee = sql.id(role);
    await sql`grant usage on schema public to ${grantee}`.execute(tx);
    await sql`revoke all on all tables in schema public from ${grantee}`.execute(tx);
    await sql`grant select on all tables in schema public to ${grantee}`.execute(tx);
    await sql`revoke select on ${sql.raw(UNREAD.join(', '))} from ${grantee}`.execute(tx);
    await sql`grant select (${sql.raw(SHOWN)}) on chain_transactions to ${grantee}`.execute(tx);
    for (const write of WRITES) await sql`grant ${sql.raw(write)} to ${grantee}`.execute(tx);
    await refuseMore(tx);
  });
}

/** Writes that only the schema's owner may make, beyond what column grants can say: table, operation, condition. */
const REFUSED = [
  ['launches', 'insert', `new.state <> 'received'`],
  ['launch_state_history', 'insert', `new.state <> 'received'`],
  ['late_quotes', 'delete', `old.refused_at > now() - interval '9 minutes'`],
  ['launch_signatures', 'insert', `new.kind = 'landed'`],
  ['claim_intents', 'insert', `new.state <> 'issued'`],
  ['claim_intents', 'update', `old.state <> 'issued' or new.state not in ('issued', 'submitted', 'expired')`],
  ['recipient_sets', 'update', `new.keep_until < old.keep_until`],
] as const;

/** A launch starts in `received`, a claim goes no further than `submitted`, kept documents stay kept. */
async function refuseMore(tx: Db): Promise<void> {
  await sql`
    create or replace function refuse_more_than_proposed() returns trigger language plpgsql as $$
    begin
      raise exception 'this role proposes: % of % is not its to write', tg_op, tg_table_name using errcode = 'insufficient_privilege';
    end $$
  `.execute(tx);
  const owner = await ownerOf(tx);
  for (const [table, occasion, condition] of REFUSED) {
    await sql`
      create or replace trigger ${sql.id(`${table}_${occasion}_proposed`)} before ${sql.raw(occasion)} on ${sql.id(table)}
        for each row when (not pg_has_role(current_user, ${sql.lit(owner)}, 'member') and (${sql.raw(condition)}))
        execute function refuse_more_than_proposed()
    `.execute(tx);
  }
}

async function ownerOf(tx: Db): Promise<string> {
  const { rows } = await sql<{
    owner: string;
  }>`select tableowner as owner from pg_tables where tablename = 'launches'`.execute(tx);
  return rows[0]!.owner;
}

/** Throws for a role that owns the schema: nothing can be refused to it. */
async function assertFit(tx: Db, role: string): Promise<void> {
  const { rows } = await sql<{ owns: boolean }>`
    select rolsuper or pg_has_role(rolname, current_user, 'member') as owns from pg_roles where rolname = ${role}
  `.execute(tx);
  const [found] = rows;
  if (!found) throw new RefusedError(`the database has no role ${role}: create role "${role}" login password '…'`);
  if (found.owns)
    throw new RefusedError(`role ${role} may do what the schema's owner may: the API needs one that may not`);
}

export async function canChangeBooks(db: Db): Promise<boolean> {
  const { rows } = await sql<{ can: boolean }>`select has_table_privilege('reward_payouts', 'update') as can`.execute(
    db,
  );
  return rows[0]?.can === true;
}
