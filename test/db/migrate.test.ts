import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, createPool } from '../../db/connect.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import { migrateDown, migrateToLatest, migrationStatus } from '../../db/migrate.ts';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import * as recipientSets from '../../db/airdrop/recipient-sets.ts';
import { openWork } from '../../db/open-work.ts';
import { MIGRATIONS } from '../../db/schema-gap.ts';
import { insertSigned } from '../../db/money/chain-transaction-insert.ts';
import { planAirdrop } from '../../domain/airdrop/airdrop.ts';
import { launchPurpose } from '../../domain/purpose.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { address, intakeOf, launchTerms, signature } from '../support/launch/launch-rows.ts';

const ALL = readdirSync(MIGRATIONS).map((file) => basename(file, '.ts'));
const NEWEST = ALL.at(-1)!;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
});
afterAll(() => database.drop());

/** Everything that makes the schema, as PostgreSQL itself describes it. */
async function describeSchema(url: string): Promise<unknown[]> {
  const pool = createPool(url, { maxConnections: 1 });
  try {
    const { rows } = await pool.query<{ line: string }>(`
      select 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' '
        || coalesce(column_default, '') || ' ' || coalesce(col_description(table_name::regclass, ordinal_position), '') as line
        from information_schema.columns where table_schema = 'public'
      union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'
      union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
        from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0
      union all select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
      union all select 'function ' || pg_get_functiondef(oid) from pg_proc
        where pronamespace = 'public'::regnamespace and prolang = (select oid from pg_language where lanname = 'plpgsql')
      order by line`);
    return rows.map(({ line }) => line).filter((line) => !line.includes('kysely_migration'));
  } finally {
    await pool.end();
  }
}

describe('migrations', () => {
  it('up, all the way down and up again give the same schema; down leaves nothing of ours', async () => {
    expect(await migrateToLatest(database.url)).toEqual(ALL);
    const before = await describeSchema(database.url);
    expect(before.length).toBeGreaterThan(100);
    expect(await migrateDown(database.url, 'all')).toEqual([...ALL].reverse());
    expect(await describeSchema(database.url)).toEqual([]);
    await migrateToLatest(database.url);
    expect(await describeSchema(database.url)).toEqual(before);
  });

  it('one step down takes back the newest migration only', async () => {
    expect(await migrateDown(database.url)).toEqual([NEWEST]);
    const pending = (await migrationStatus(database.url)).filter(({ executedAt }) => executedAt === null);
    expect(pending.map(({ name }) => name)).toEqual([NEWEST]);
    expect(await migrateToLatest(database.url)).toEqual([NEWEST]);
  });

  it('a database at the newest schema is left alone', async () => {
    expect(await migrateToLatest(database.url)).toEqual([]);
  });

  it('processes that start together take turns: every migration runs once', async () => {
    const fresh = await createTestDatabase({ migrated: false });
    const ran = await Promise.all([1, 2, 3, 4].map(() => migrateToLatest(fresh.url)));
    expect(ran.flat().sort()).toEqual(ALL);
    await fresh.drop();
  });

  it('a failed migration says its name and leaves the schema as it was', async () => {
    const taken = await createTestDatabase({ migrated: false });
    const pool = createPool(taken.url, { maxConnections: 1 });
    await pool.query('create table positions (id integer)');
    await expect(migrateToLatest(taken.url)).rejects.toThrow('migration "0001-baseline" failed');
    const { rows } = await pool.query("select 1 from pg_tables where tablename in ('launches', 'tokens')");
    expect(rows).toEqual([]);
    await pool.end();
    await taken.drop();
  });
});

describe('the command', () => {
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['db/migrate.ts', ...args], {
      env: { ...process.env, DATABASE_URL: database.url },
    });

  it('reports up, status and down as JSON', async () => {
    await run('down', '--all', '--losing', nameOf(database), '--json');
    expect(JSON.parse((await run('up', '--json')).stdout)).toEqual({ ran: ALL });
    const status = JSON.parse((await run('status', '--json')).stdout) as { migrations: { name: string }[] };
    expect(status.migrations.map(({ name }) => name)).toEqual(ALL);
    expect(JSON.parse((await run('down', '--losing', nameOf(database), '--json')).stdout)).toEqual({
      takenBack: [NEWEST],
    });
    expect((await run('up')).stdout).toContain(`  ${NEWEST}\n`);
  });

  describe('takes everything back', () => {
    const refusal = async (...args: string[]) => (await outcomeOf(run('down', ...args))).stderr;

    it('only from the database that is named', async () => {
      const name = nameOf(database);
      const sentence = `migrate: this loses everything that is in database "${name}": say so with --all --losing ${name}\n`;
      expect(await refusal('--all')).toBe(sentence);
      expect(await refusal('--all', '--losing', 'slipway')).toBe(sentence);
      const later = ALL.slice(1).reverse();
      for (const name of later) expect(await migrateDown(database.url)).toEqual([name]);
      expect(await refusal()).toBe(sentence);
      expect(await migrateToLatest(database.url)).toEqual(ALL.slice(1));
    });

    it('only where no launch is under way and no signed transaction may still land', async () => {
      const db = connect(database.url);
      const terms = launchTerms();
      await insertIntake(db, intakeOf(terms));
      const purpose = launchPurpose(terms.quoteId, 1);
      const blockhash = { blockhash: address(), blockhashSlot: 1n, lastValidBlockHeight: 2n };
      await insertSigned(db, [
        Object.assign({ purpose, attempt: 1, signature: signature(), wire: Uint8Array.of(1) }, blockhash),
      ]);
      await db.destroy();
      expect(await refusal('--all', '--losing', nameOf(database))).toBe(
        `migrate: database "${nameOf(database)}" is needed: 1 launches are under way, 1 signed transactions have not come to their end\n`,
      );
      expect(await migrateToLatest(database.url)).toEqual([]);
    });

    it('only where nobody waits for an airdrop whose plan lies there alone', async () => {
      const own = await createTestDatabase();
      const db = connect(own.url);
      const terms = launchTerms();
      await insertIntake(db, intakeOf(terms));
      const ended = {
        state: 'finalized',
        paymentSignature: 'p',
        launchedAt: new Date(),
        completedAt: new Date(),
      } as const;
      await db.updateTable('launches').set(ended).where('quoteId', '=', terms.quoteId).execute();
      expect(await openWork(db)).toBeNull();
      const { quoteId, addresses } = terms;
      const document = Buffer.from('recipients');
      const recipientsHash = createHash('sha256').update(document).digest('hex');
      await recipientSets.keep(db, recipientsHash, document);
      const recipients = { recipientsHash, recipientsUri: 'https://x' };
      const shares = planAirdrop(1_003n, Array.from({ length: 10 }, address));
      await airdrops.plan(db, { quoteId, mint: addresses.mint, shareRaw: 1_003n, ...recipients, shares });
      expect(await openWork(db)).toBe('1 airdrops are not delivered');
      for (const batch of [1, 2]) await airdrops.markBatch(db, quoteId, batch, { signature: `s${batch}`, slot: 1n });
      await airdrops.markDelivered(db, quoteId);
      expect(await openWork(db)).toBeNull();
      await db.destroy();
      await own.drop();
    });
  });

  it.each([
    ['postgresql://slipway:hush@127.0.0.1:1/slipway', 'the database at 127.0.0.1:1 cannot be reached: '],
    ['postgresql://nobody:hush@HOST/slipway', 'the database at HOST refuses: '],
  ])('says of %s in one sentence that %s', async (url, sentence) => {
    const { host } = new URL(database.url);
    const { code, stdout, stderr } = await outcomeOf(run('up', '--database-url', url.replace('HOST', host)));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^migrate: [^\n]+\n$/);
    expect(stderr).toContain(sentence.replace('HOST', host));
    expect(stderr).not.toContain('hush');
  });
});

function nameOf({ url }: TestDatabase): string {
  return new URL(url).pathname.slice(1);
}

/** How a command ended that is to fail. */
async function outcomeOf(running: Promise<unknown>) {
  const failure: unknown = await running.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
  return Value.Parse(Outcome, failure);
}

const Outcome = Type.Object({ code: Type.Integer(), stdout: Type.String(), stderr: Type.String() });
