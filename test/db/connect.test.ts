import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { connect, transaction } from '../../db/connect.ts';
import { classifyDatabaseError, isTransientDatabaseError } from '../../db/errors.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db, url } = useDatabase();

async function failureOf(action: () => Promise<unknown>): Promise<unknown> {
  return action().then(
    () => expect.fail('expected a failure'),
    (error: unknown) => error,
  );
}

describe('values', () => {
  it('whole numbers of 64 bits and more are bigint, to the last digit', async () => {
    const { rows } = await sql`select 9223372036854775807::bigint as a, array[1, -9223372036854775808]::bigint[] as b,
      340282366920938463463374607431768211455::numeric(39, 0) as c, sum(x) as d, '{}'::bigint[] as e
      from (values (9223372036854775807::bigint), (1)) as t (x)`.execute(db());
    expect(rows).toEqual([
      {
        a: 9_223_372_036_854_775_807n,
        b: [1n, -9_223_372_036_854_775_808n],
        c: 340_282_366_920_938_463_463_374_607_431_768_211_455n,
        d: 9_223_372_036_854_775_808n,
        e: [],
      },
    ]);
  });

  it('numbers with a scale are decimal strings without trailing zeros', async () => {
    const { rows } =
      await sql`select 1.5::numeric(50, 20) as a, 100::numeric(50, 20) as b, -0.10::numeric as c`.execute(db());
    expect(rows).toEqual([{ a: '1.5', b: '100', c: '-0.1' }]);
  });

  it('a number that is none is an error', async () => {
    expect(await failureOf(() => sql`select 'NaN'::numeric`.execute(db()))).toMatchObject({ name: 'RangeError' });
  });

  it('other users of the driver in the same process are not affected', async () => {
    const client = new pg.Client({ connectionString: url() });
    await client.connect();
    expect((await client.query('select 1::bigint as a')).rows).toEqual([{ a: '1' }]);
    await client.end();
  });
});

describe('limits', () => {
  it('a statement that takes too long is ended, and the failure is transient', async () => {
    const limited = connect(url(), { statementTimeoutMs: 50 });
    const failure = await failureOf(() => sql`select pg_sleep(5)`.execute(limited));
    expect(classifyDatabaseError(failure)).toBe('timeout');
    expect(String(failure)).toContain('select pg_sleep(5)');
    await limited.destroy();
  });

  it('a wait for a lock ends, and the failure is contention', async () => {
    const limited = connect(url(), { lockTimeoutMs: 50 });
    const failure = await transaction(db(), async (tx) => {
      await sql`lock table environment`.execute(tx);
      return failureOf(() => sql`select * from environment`.execute(limited));
    });
    expect(classifyDatabaseError(failure)).toBe('contention');
    await limited.destroy();
  });

  it('no more connections than allowed are opened, and they carry the name of their process', async () => {
    const two = connect(url(), { maxConnections: 2, applicationName: 'two', connectTimeoutMs: 120_000 });
    await Promise.all(Array.from({ length: 8 }, () => sql`select pg_sleep(0.01)`.execute(two)));
    const { rows } = await sql`select count(*) from pg_stat_activity where application_name = 'two'`.execute(db());
    expect(rows).toEqual([{ count: 2n }]);
    await two.destroy();
  });
});

describe('transactions', () => {
  it('an inner one joins the outer one', async () => {
    const id = () => sql<{ id: string }>`select pg_current_xact_id()::text as id`;
    const [outer, inner] = await transaction(db(), async (tx) => [
      (await id().execute(tx)).rows[0]?.id,
      await transaction(tx, async (same) => (await id().execute(same)).rows[0]?.id),
    ]);
    expect(inner).toBe(outer);
  });
});

describe('failures that may pass', () => {
  it('a server that is away', async () => {
    const nowhere = connect('postgres://nobody@127.0.0.1:1/none', { connectTimeoutMs: 500 });
    const failure = await failureOf(() => sql`select 1`.execute(nowhere));
    expect(classifyDatabaseError(failure)).toBe('connection');
    await nowhere.destroy();
  });

  it.each(['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ECONNABORTED'])('a host that is gone (%s)', (code) => {
    expect(classifyDatabaseError(Object.assign(new Error(`connect ${code} 10.0.0.7:5432`), { code }))).toBe(
      'connection',
    );
  });

  it.each(['53100', '53200', '58030'])('a server whose disk or memory is full, or fails (%s)', (code) => {
    const failure = Object.assign(new Error('could not extend file'), { code });
    expect(classifyDatabaseError(failure)).toBe('resources');
    expect(isTransientDatabaseError(failure)).toBe(true);
  });

  it('a write that a server refuses which is not, or no longer, the primary', async () => {
    const readOnly = connect(`${url()}?options=-c%20default_transaction_read_only%3Don`);
    const failure = await failureOf(() => sql`update switches set changed_at = now()`.execute(readOnly));
    expect(classifyDatabaseError(failure)).toBe('connection');
    await readOnly.destroy();
  });

  it('a connection that is cut in the middle of a query; the pool goes on with a new one', async () => {
    const cut = connect(url(), { applicationName: 'cut' });
    const failure = failureOf(() => sql`select pg_sleep(5)`.execute(cut));
    const kill = sql<{ killed: boolean }>`
      select pg_terminate_backend(pid) as killed from pg_stat_activity where application_name = 'cut' and state = 'active'`;
    await expect.poll(async () => (await kill.execute(db())).rows).toEqual([{ killed: true }]);
    expect(classifyDatabaseError(await failure)).toBe('connection');
    // The pool may hand out the dying connection once more; that fails like the first query, and nothing else happens.
    const query = async () => (await sql`select 1 as one`.execute(cut)).rows;
    await expect.poll(() => query().catch(classifyDatabaseError)).toEqual([{ one: 1 }]);
    await cut.destroy();
  });

  it('an idle connection that is cut is told to its owner and does not end the process', async () => {
    const told: Error[] = [];
    const idle = connect(url(), { applicationName: 'idle', onIdleError: (error) => told.push(error) });
    await sql`select 1`.execute(idle);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'idle'`.execute(db());
    await expect.poll(() => told.length).toBe(1);
    // What is told is logged: the error, and nothing of the connection.
    expect(Object.values(told[0] ?? {}).filter((value) => typeof value === 'object')).toEqual([]);
    await idle.destroy();
  });

  it('two transactions that collide', async () => {
    const counter = sql`update switches set changed_at = now() where name = 'launching'`;
    const failure = await failureOf(() =>
      db()
        .transaction()
        .setIsolationLevel('serializable')
        .execute(async (tx) => {
          await sql`select * from switches`.execute(tx);
          await counter.execute(db());
          await counter.execute(tx);
        }),
    );
    expect(classifyDatabaseError(failure)).toBe('contention');
  });

  it('a wrong statement or a broken rule is permanent', async () => {
    const wrong = await failureOf(() => sql`select * from nowhere`.execute(db()));
    const broken = await failureOf(() => sql`insert into switches values ('launching', 'on', 'x')`.execute(db()));
    expect([wrong, broken, new Error('anything'), 'text'].map(isTransientDatabaseError)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
