import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_GRANTS, grantToApi } from '../../db/api-role.ts';
import { endLongTransactions } from '../../db/long-transactions.ts';
import * as recipientSets from '../../db/airdrop/recipient-sets.ts';
import { connect, type Db } from '../../db/connect.ts';
import { insertIntake, refuseIntake } from '../../db/launch/launch-intake.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import { apiUrlOf } from '../setup/database.ts';
import { API_ROLE } from '../setup/api-role.ts';
import { intakeOf, launchTerms } from '../support/launch/launch-rows.ts';
import { isBeingBought, isPurchaseSigned } from '../../db/inventory/stock-books.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db, url } = useDatabase();
let api: Db;
beforeAll(async () => {
  // A copied database has no rights of its own for roles.
  await grantToApi(db(), API_ROLE);
  api = connect(apiUrlOf(url()), { applicationName: 'test-api' });
});
afterAll(() => api.destroy());

const DENIED = /permission denied/;

/** Tables by which something is paid, signed or decided. */
const BOOKS = [
  'airdrop_batches',
  'airdrop_shares',
  'airdrops',
  'buyback_budgets',
  'buyback_rounds',
  'chain_transactions',
  'claim_nonces',
  'fee_harvests',
  'fee_sweeps',
  'lane_checks',
  'lane_steps',
  'lanes',
  'pair_inventory',
  'pairs',
  'positions',
  'pot_sums',
  'receipts',
  'price_observations',
  'restock_rounds',
  'reward_holders',
  'reward_payouts',
  'reward_rounds',
  'reward_snapshots',
  'reward_tokens',
  'reward_transactions',
  'sealed_logs',
  'switches',
  'tokens',
];

describe('whoever holds the database role of the API', () => {
  it('can tell whether a token is being bought, which decides on dev buys', async () => {
    expect(await isPurchaseSigned(api, 'mint')).toBe(false);
    await expect(isBeingBought(api, 'mint')).rejects.toThrow(DENIED);
  });

  it.each(BOOKS)('can neither add to %s, nor change or delete what is there', async (table) => {
    const { rows } = await sql<{ privilege: string }>`
      select privilege from unnest(array['insert', 'update', 'delete', 'truncate']) as privilege
      where has_table_privilege(${API_ROLE}, ${table}, privilege)
        or (privilege in ('insert', 'update') and has_any_column_privilege(${API_ROLE}, ${table}, privilege))
    `.execute(db());
    expect(rows).toEqual([]);
  });

  it('takes a launch in and refuses one, and changes none that is known', async () => {
    const { launch } = await insertIntake(api, intakeOf(launchTerms()));
    const limits = { perClient: 2, inAll: 10 };
    const late = { ...intakeOf(launchTerms()), client: '203.0.113.9' };
    expect(await refuseIntake(api, late, limits)).toBeNull();
    await expect(sql`delete from late_quotes`.execute(api)).rejects.toThrow('this role proposes');
    await sql`update late_quotes set refused_at = now() - interval '11 minutes'`.execute(db());
    expect(await refuseIntake(api, { ...intakeOf(launchTerms()), client: '203.0.113.9' }, limits)).toBeNull();
    expect(await refuseIntake(api, { ...intakeOf(launchTerms()), client: '203.0.113.9' }, limits)).toBeNull();
    await expect(transitionLaunch(api, launch.quoteId, ['received'], 'preparing')).rejects.toThrow(DENIED);
    await expect(sql`update launches set terms = '{}'`.execute(api)).rejects.toThrow(DENIED);
    await expect(sql`delete from launches`.execute(api)).rejects.toThrow(DENIED);
  });

  it('cannot make a launch that is past its checks', async () => {
    const { launch } = await insertIntake(api, intakeOf(launchTerms()));
    const copy = sql`
      insert into launches (quote_id, terms, state, seed_id, creator, mint, mode, quote_mint, name, symbol, payment_lamports,
        submitted_signature, submitted_wire)
      select ${randomUUID()}, terms, 'resuming', seed_id, creator, mint || 'x', mode, quote_mint, name, symbol, payment_lamports,
        submitted_signature || 'x', submitted_wire from launches where quote_id = ${launch.quoteId}
    `;
    await expect(copy.execute(api)).rejects.toThrow('this role proposes: INSERT of launches is not its to write');
    await copy.execute(db());
  });

  it.each([
    [
      'a state that a launch has not at its beginning',
      "insert into launch_state_history (quote_id, state) values ($id, 'resuming')",
    ],
    ['that a payment landed', "insert into launch_signatures (signature, quote_id, kind) values ('x', $id, 'landed')"],
    ['recipients that are kept for less long', "update recipient_sets set keep_until = now() - interval '1 day'"],
    [
      'a claim that is being ended',
      `insert into claim_intents (intent_id, mint, wallet, fee_key_mint, nonce_account, nonce, message,
      base_raw, quote_raw, issued_slot, holds_fee_key, state, signature, expires_at)
      values (gen_random_uuid(), 'm', 'w', 'f', 'n', 'v', '', 0, 0, 1, true, 'killing', 's', now() + interval '1 minute')`,
    ],
  ])('cannot write %s', async (_what, statement) => {
    const { launch } = await insertIntake(api, intakeOf(launchTerms()));
    const document = Buffer.from(launch.quoteId);
    await recipientSets.keep(api, createHash('sha256').update(document).digest('hex'), document);
    const written = sql.raw(statement.replace('$id', `'${launch.quoteId}'`)).execute(api);
    await expect(written).rejects.toThrow('this role proposes');
  });

  it('may do what its list of grants says, and no more', async () => {
    const { rows } = await sql<{ right: string }>`
      with rights as (select unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as name),
      relations as (select oid, relname from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')),
      whole as (select relations.oid, relname, name from relations, rights
        where has_table_privilege(${API_ROLE}, relations.oid, name))
      select name || ' on ' || relname as right from whole
      union select name || ' (' || attname || ') on ' || relname from relations, rights, pg_attribute
        where attrelid = relations.oid and attnum > 0 and not attisdropped
        and name in ('select', 'insert', 'update', 'references')
        and has_column_privilege(${API_ROLE}, relations.oid, attnum, name)
        and not exists (select from whole where whole.oid = relations.oid and whole.name = rights.name)
    `.execute(db());
    const listed = API_GRANTS.flatMap(({ table, privilege, columns }) =>
      (columns ?? [null]).map((column) => `${privilege}${column === null ? '' : ` (${column})`} on ${table}`),
    );
    expect(rows.map(({ right }) => right).sort()).toEqual(listed.sort());
  });

  it.each(['create temporary table t (a int)', 'create table t (a int)', 'create schema s', 'select * from audit_log'])(
    'cannot %s',
    async (statement) => {
      await expect(sql.raw(statement).execute(api)).rejects.toThrow(DENIED);
    },
  );

  it('reads no signed bytes', async () => {
    await expect(sql`select wire from chain_transactions`.execute(api)).rejects.toThrow(DENIED);
    await expect(sql`select * from lanes`.execute(api)).rejects.toThrow(DENIED);
    await sql`select signature, status from chain_transactions`.execute(api);
  });
});

describe('the grant', () => {
  it('is the same however often it is made, and takes back what was given beside it', async () => {
    await sql`grant update on reward_payouts to ${sql.id(API_ROLE)}`.execute(db());
    await grantToApi(db(), API_ROLE);
    await expect(sql`update reward_payouts set amount_raw = 1`.execute(api)).rejects.toThrow(DENIED);
    await insertIntake(api, intakeOf(launchTerms()));
  });

  it('of a release that is taken back leaves alone what the newer one gave', async () => {
    const newer = '9001-expand-notes';
    const migrate = async () => {
      const args = ['db/migrate.ts', 'up', '--json', '--api-role', API_ROLE, '--database-url', url()];
      return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout) as unknown;
    };
    await sql`create table notes (note text)`.execute(db());
    await sql`grant insert on notes to ${sql.id(API_ROLE)}`.execute(db());
    await sql`insert into kysely_migration values (${newer}, ${new Date().toISOString()})`.execute(db());
    expect(await migrate()).toEqual({ ran: [], leftAsGranted: [API_ROLE] });
    await sql`insert into notes values ('kept')`.execute(api);
    await sql`delete from kysely_migration where name = ${newer}`.execute(db());
    expect(await migrate()).toEqual({ ran: [], granted: [API_ROLE] });
    await expect(sql`insert into notes values ('taken')`.execute(api)).rejects.toThrow(DENIED);
    await sql`drop table notes`.execute(db());
  });

  it('refuses a role that there is none of, and one that may do everything', async () => {
    await expect(grantToApi(db(), 'nobody')).rejects.toThrow(
      'the database has no role nobody: create role "nobody" login',
    );
    await expect(grantToApi(db(), new URL(url()).username)).rejects.toThrow("may do what the schema's owner may");
  });
});

describe('the role of the API, taken over by a stranger', () => {
  /** Runs `during` while a transaction is open that its session has lifted every limit of. */
  async function withOpenTransaction(databaseUrl: string, during: (pid: number) => Promise<void>): Promise<void> {
    const own = connect(databaseUrl, { applicationName: 'test-held', onIdleError: () => undefined });
    const held = own.connection().execute(async (connection) => {
      await sql`set idle_in_transaction_session_timeout = 0`.execute(connection);
      await sql`begin`.execute(connection);
      const { rows } = await sql<{ pid: number }>`
        select pg_backend_pid() as pid, pg_current_xact_id()`.execute(connection);
      await during(rows[0]?.pid ?? 0);
      await sql`commit`.execute(connection);
    });
    try {
      await held;
    } finally {
      await own.destroy();
    }
  }

  it('is ended from outside where its transaction stays open, since it can lift its own limits', async () => {
    const ended = withOpenTransaction(apiUrlOf(url()), async (pid) => {
      expect(await endLongTransactions(db(), 3_600)).toEqual([]);
      expect(await endLongTransactions(db(), 0)).toContain(pid);
    });
    // The connection's end may reach the client before the server's message.
    await expect(ended).rejects.toThrow(/terminat|connection error/);
  });

  it('is left alone in other databases of the server, and so is the owner of this one', async () => {
    const elsewhere = new URL(apiUrlOf(url()));
    elsewhere.pathname = '/postgres';
    await withOpenTransaction(elsewhere.href, () =>
      withOpenTransaction(url(), async () => {
        await endLongTransactions(db(), 0);
      }),
    );
  });
});
