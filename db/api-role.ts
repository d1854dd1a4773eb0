import { sql } from 'kysely';
import { type Db, transaction } from './connect.ts';

/** Signed bytes and what moves next: nobody who answers strangers reads them. */
const UNREAD = ['chain_transactions', 'lanes', 'lane_steps'];

/** What a launch's page shows of its transactions. */
const SHOWN = 'purpose, attempt, signature, status, slot, error_finalized, landed_at';

/** What the API writes: proposals, which the worker derives anew, and counts. No amount, no state that anything is paid by. */
const WRITES = [
  'insert on launches, launch_signatures, launch_state_history, launch_logos, launch_changes',
  'update (taken_at) on launch_addresses',
  'insert, update (keep_until) on recipient_sets',
  'insert, update (state, signature, submitted_at, expires_at, base_raw, quote_raw, settled_at, updated_at) on claim_intents',
  'insert, update, delete on rate_counters',
  'insert on environment',
];

/**
 * Gives a role (which must exist, and not be the schema's owner) what the API needs and nothing more, so that whoever takes the API over,
 * with everything it holds, can make proposals and cannot change what is paid. Replaces what it was given before; after each migration
 * it is due again. All or nothing.
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
    await sql`
      create or replace function refuse_begun_launch() returns trigger language plpgsql as $$
      begin
        raise exception 'a launch begins as received or not_landed, not as %', new.state using errcode = 'insufficient_privilege';
      end $$
    `.execute(tx);
    await sql`
      create or replace trigger launches_begin before insert on launches
        for each row when (current_user = ${sql.lit(role)} and new.state not in ('received', 'not_landed'))
        execute function refuse_begun_launch()
    `.execute(tx);
  });
}

/** What owns the schema cannot be kept from anything. */
async function assertFit(tx: Db, role: string): Promise<void> {
  const { rows } = await sql<{ owns: boolean }>`
    select rolsuper or pg_has_role(rolname, current_user, 'member') as owns from pg_roles where rolname = ${role}
  `.execute(tx);
  const [found] = rows;
  if (!found) throw new RangeError(`the database has no role ${role}: create role "${role}" login password '…'`);
  if (found.owns)
    throw new RangeError(`role ${role} may do what the schema's owner may: the API needs one that may not`);
}

/** True where the role of this connection can change what is paid. */
export async function canChangeBooks(db: Db): Promise<boolean> {
  const { rows } = await sql<{ can: boolean }>`select has_table_privilege('reward_payouts', 'update') as can`.execute(
    db,
  );
  return rows[0]?.can === true;
}
