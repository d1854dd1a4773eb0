import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Db, transaction } from '../../db/connect.ts';
import { lookAlikesOf } from '../../db/look-alikes.ts';
import { migrateDown, migrateToLatest } from '../../db/migrate.ts';
import { freePort } from '../../dev/stack/ports.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { bouncerSettings, PGBOUNCER, throughBouncer } from '../support/deploy/bouncer.ts';

/** So few connections that many clients share each. */
const POOL_SIZE = 3;

describe.skipIf(PGBOUNCER === undefined)(
  'through PgBouncer in transaction mode (skipped without pgbouncer on PATH)',
  () => {
    let database: TestDatabase;
    let directory: string;
    let bouncer: ChildProcess;
    let url: string;
    let db: Db;

    beforeAll(async () => {
      database = await createTestDatabase();
      directory = await mkdtemp(join(tmpdir(), 'slipway-bouncer-'));
      await chmod(directory, 0o755);
      const port = await freePort();
      const file = join(directory, 'pgbouncer.ini');
      await writeFile(file, bouncerSettings({ databaseUrl: database.url, port, poolSize: POOL_SIZE }), { mode: 0o644 });
      bouncer = spawn(PGBOUNCER ?? '', [file], { stdio: 'ignore' });
      url = throughBouncer(database.url, port);
      db = connect(url, { maxConnections: 20 });
      await untilAnswered();
    });
    afterAll(async () => {
      await db.destroy();
      bouncer.kill('SIGKILL');
      await database.drop();
      await rm(directory, { recursive: true });
    });

    async function untilAnswered(): Promise<void> {
      for (let tries = 0; ; tries++) {
        try {
          await sql`select 1`.execute(db);
          return;
        } catch (error) {
          if (tries === 100) throw error;
          await sleep(50);
        }
      }
    }

    it('migrations run, and processes that start together take turns', async () => {
      const [newest] = await migrateDown(url);
      const ran = await Promise.all([1, 2, 3].map(() => migrateToLatest(url)));
      expect(ran.flat()).toEqual([newest]);
    });

    it('what is locked in a transaction stays locked, though clients share connections', async () => {
      await sql`create table counted (n integer not null)`.execute(db);
      await sql`insert into counted values (0)`.execute(db);
      const addOne = () =>
        transaction(db, async (tx) => {
          const { rows } = await sql<{ n: number }>`select n from counted for update`.execute(tx);
          await sql`update counted set n = ${(rows[0]?.n ?? 0) + 1}`.execute(tx);
        });
      await Promise.all(Array.from({ length: 40 }, addOne));
      const { rows } = await sql<{ n: number }>`select n from counted`.execute(db);
      expect(rows).toEqual([{ n: 40 }]);
    });

    it('statements whose plan a session keeps run there too, without a name that another session lacks', async () => {
      const wish = { mint: null, createdAt: null, name: 'Moon', symbol: 'MOON' };
      const found = await Promise.all(Array.from({ length: 200 }, () => lookAlikesOf(db, [wish])));
      expect(new Set(found.flat())).toEqual(new Set([null]));
      const { rows } = await sql`select name from pg_prepared_statements`.execute(db);
      expect(rows).toEqual([]);
    });
  },
);
