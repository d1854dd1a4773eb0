import { sql } from 'kysely';
import { type Db, transaction } from './connect.ts';
import { RefusedError } from './errors.ts';

/** Tables that the API reads as a whole. No signed bytes, webhook secrets, or decisions of operators. */
const READS = [
  'airdrop_batches',
  'airdrop_shares',
  'airdrops',
  'book_findings',
  'burn_days',
  'burn_sums',
  'burns',
  'buyback_budgets',
  'buyback_rounds',
  'buyback_sums',
  'claim_intents',
  'claim_nonces',
  'client_packages',
  'environment',
  'event_log',
  'events',
  'fee_harvests',
  'held_accounts',
  'kysely_migration',
  'labelled_wallets',
  'late_quotes',
  'launch_addresses',
  'launch_changes',
  'launch_creators',
  'launch_hours',
  'launch_logos',
  'launch_signatures',
  'launch_state_history',
  'launch_totals',
  'launches',
  'market_swaps',
  'pair_categories',
  'pair_inventory',
  'pairs',
  'pool_cursors',
  'positions',
  'pot_sums',
  'price_observations',
  'proof_document_parts',
  'proof_documents',
  'rate_counters',
  'receipts',
  'recipient_sets',
  'revenue_days',
  'reward_left_out',
  'reward_left_out_counts',
  'reward_payouts',
  'reward_rounds',
  'reward_snapshots',
  'reward_tokens',
  'reward_transactions',
  'sealed_logs',
  'statement_rows',
  'swaps',
  'switches',
  'token_market_changes',
  'token_market_totals',
  'token_markets',
  'token_trading',
  'tokens',
  'unknown_work',
  'wallet_manifest',
] as const;

/** Columns that a launch's page shows. */
const SHOWN = ['purpose', 'attempt', 'signature', 'status', 'slot', 'error_finalized', 'landed_at'];

interface Write {
  readonly table: string;
  readonly privilege: 'insert' | 'update' | 'delete';
  /** Absent: all. */
  readonly columns?: readonly string[];
}

/** Columns of a claim that move with its state; its wallet and message stay. */
const OF_CLAIM = [
  'state',
  'signature',
  'signed_message',
  'submitted_at',
  'expires_at',
  'base_raw',
  'quote_raw',
  'settled_at',
  'updated_at',
];

/** Proposals, which the worker derives again, and counters; no amount, no state that causes a payment. */
const WRITES: readonly Write[] = [
  { table: 'late_quotes', privilege: 'insert' },
  { table: 'late_quotes', privilege: 'delete' },
  { table: 'launches', privilege: 'insert' },
  { table: 'launch_signatures', privilege: 'insert' },
  { table: 'launch_state_history', privilege: 'insert' },
  { table: 'launch_logos', privilege: 'insert' },
  { table: 'launch_changes', privilege: 'insert' },
  { table: 'launch_addresses', privilege: 'update', columns: ['taken_at', 'wish'] },
  { table: 'recipient_sets', privilege: 'insert' },
  { table: 'recipient_sets', privilege: 'update', columns: ['keep_until'] },
  { table: 'claim_intents', privilege: 'insert' },
  { table: 'claim_intents', privilege: 'update', columns: OF_CLAIM },
  { table: 'rate_counters', privilege: 'insert' },
  { table: 'rate_counters', privilege: 'update' },
  { table: 'rate_counters', privilege: 'delete' },
  { table: 'environment', privilege: 'insert' },
];

/** One right of the API's role. `columns` absent: of the whole table. */
export interface ApiGrant extends Omit<Write, 'privilege'> {
  readonly privilege: Write['privilege'] | 'select';
}

/** All that the API's role may do; a test compares it with what the role may. */
export const API_GRANTS: readonly ApiGrant[] = [
  ...READS.map((table) => ({ table, privilege: 'select' }) as const),
  { table: 'chain_transactions', privilege: 'select', columns: SHOWN },
  ...WRITES,
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
    await takeBack(tx, role);
    for (const grant of API_GRANTS) await sql`grant ${sql.raw(textOf(grant))} to ${grantee}`.execute(tx);
    await refuseMore(tx);
  });
}

/** Revoking a table's rights revokes those of its columns. Temporary tables would fill the disk of the database. */
async function takeBack(tx: Db, role: string): Promise<void> {
  const [grantee, { rows }] = [
    sql.id(role),
    await sql<{ name: string }>`select current_database() as name`.execute(tx),
  ];
  for (const kind of ['tables', 'sequences', 'functions'])
    await sql`revoke all on all ${sql.raw(kind)} in schema public from ${grantee}`.execute(tx);
  await sql`revoke create on schema public from public, ${grantee}`.execute(tx);
  for (const { name } of rows)
    await sql`revoke temporary on database ${sql.id(name)} from public, ${grantee}`.execute(tx);
}

function textOf({ table, privilege, columns }: ApiGrant): string {
  return `${privilege}${columns ? ` (${columns.join(', ')})` : ''} on ${table}`;
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
