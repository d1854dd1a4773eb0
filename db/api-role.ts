import { sql } from 'kysely';
import { type Db, transaction } from './connect.ts';
import { RefusedError } from './errors.ts';

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
 * Gives a role (which must exist, and not be the schema's owner) what the API needs and nothing more, so that whoever takes the API's
 * connection over can make proposals and cannot change what is paid. Replaces what it was given before; after each migration
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
    await refuseMore(tx);
  });
}

/** What anybody but the schema's owner may not write, where the columns alone do not say it: table, occasion, condition. */
const REFUSED = [
  ['launches', 'insert', `new.state not in ('received', 'not_landed')`],
  ['launch_state_history', 'insert', `new.state not in ('received', 'not_landed')`],
  ['launch_signatures', 'insert', `new.kind = 'landed'`],
  ['claim_intents', 'insert', `new.state <> 'issued'`],
  ['claim_intents', 'update', `old.state <> 'issued' or new.state not in ('issued', 'submitted', 'expired')`],
  ['recipient_sets', 'update', `new.keep_until < old.keep_until`],
] as const;

/** A launch begins at its beginning, a claim goes no further than to its submit, and what is kept is kept. */
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

/** What owns the schema cannot be kept from anything. */
async function assertFit(tx: Db, role: string): Promise<void> {
  const { rows } = await sql<{ owns: boolean }>`
    select rolsuper or pg_has_role(rolname, current_user, 'member') as owns from pg_roles where rolname = ${role}
  `.execute(tx);
  const [found] = rows;
  if (!found) throw new RefusedError(`the database has no role ${role}: create role "${role}" login password '…'`);
  if (found.owns)
    throw new RefusedError(`role ${role} may do what the schema's owner may: the API needs one that may not`);
}

/** True where the role of this connection can change what is paid. */
export async function canChangeBooks(db: Db): Promise<boolean> {
  const { rows } = await sql<{ can: boolean }>`select has_table_privilege('reward_payouts', 'update') as can`.execute(
    db,
  );
  return rows[0]?.can === true;
}
