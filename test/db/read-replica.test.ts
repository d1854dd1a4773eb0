import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ApiInstance } from '../../api/instance.ts';
import { grantToApi } from '../../db/api-role.ts';
import { connectThrough, createPool, type Db } from '../../db/connect.ts';
import { openReadReplica, type ReadReplica } from '../../db/read-replica.ts';
import { testApp } from '../support/api/test-app.ts';
import { listPair } from '../support/api/test-pairs.ts';
import { createTestDatabase } from '../setup/database.ts';
import { type OwnServer, startOwnServer } from '../support/db/own-server.ts';
import { address } from '../support/launch/launch-rows.ts';
import { launchedToken } from '../support/launch/launched-token.ts';
import { eventually } from '../support/platform/eventually.ts';

const MOST_LAG_MS = 5_000;
const limits = { maxConnections: 4, connectTimeoutMs: 1_000, onIdleError: () => undefined };

let server: OwnServer;
let standbyUrl: string;
let pool: ReturnType<typeof createPool>;
let primary: Db;
let opened: ReadReplica | undefined;
let clock: number;
let changes: (string | null)[];
const quoteMint = address();

beforeAll(async () => {
  server = await startOwnServer('read-replica');
  standbyUrl = await server.addStandby();
  primary = connectThrough(createPool(server.url, limits));
  await sql`create role reading_api login password 'reading'`.execute(primary);
  await grantToApi(primary, 'reading_api');
  pool = createPool(asApi(server.url), limits);
  await listPair(primary, { mint: quoteMint, symbol: 'USDQ', category: 'stable' });
  await untilReplayed();
});
afterAll(async () => {
  await opened?.close();
  await pool.end();
  await primary.destroy();
  await server.stop();
});
beforeEach(async () => {
  await opened?.close();
  [opened, clock, changes] = [undefined, 0, []];
});

/** A database as the API's own role sees it. */
function asApi(text: string): string {
  const url = new URL(text);
  [url.username, url.password] = ['reading_api', 'reading'];
  return url.href;
}

/** Reads that go to what lies at a URL, by a clock that stands still unless it is set. */
function readingFrom(url: string): ReadReplica {
  opened = openReadReplica({
    primary: pool,
    replica: createPool(url, limits),
    mostLagMs: MOST_LAG_MS,
    everyMs: 3_600_000,
    now: () => clock,
    onChange: (problem) => changes.push(problem),
  });
  return opened;
}

async function readsStandby({ db }: ReadReplica): Promise<boolean> {
  const { rows } = await sql<{ isStandby: boolean }>`select pg_is_in_recovery() as is_standby`.execute(db);
  return rows[0]!.isStandby;
}

async function onStandby(statement: string): Promise<unknown> {
  const standby = connectThrough(createPool(standbyUrl, limits));
  try {
    return (await sql.raw(statement).execute(standby)).rows[0];
  } finally {
    await standby.destroy();
  }
}

/** Waits until the standby has all that the primary has now: also the role that reads it. */
async function untilReplayed(): Promise<void> {
  const { rows } = await sql<{ lsn: string }>`select pg_current_wal_lsn() as lsn`.execute(primary);
  const replayed = `select pg_last_wal_replay_lsn() >= '${rows[0]!.lsn}' as is_replayed`;
  await eventually(async () => {
    const { isReplayed } = (await onStandby(replayed)) as { isReplayed: boolean };
    return isReplayed || null;
  }, 'the primary’s changes on the standby');
}

/** Until the test ends. */
async function pauseReplay(): Promise<void> {
  await onStandby('select pg_wal_replay_pause()');
  onTestFinished(async () => void (await onStandby('select pg_wal_replay_resume()')));
}

async function caughtUp(replica: ReadReplica): Promise<void> {
  await eventually(async () => {
    await replica.look();
    return replica.problem() === null ? true : null;
  }, 'a standby that is read');
}

describe('reads with a standby', () => {
  it('go to the primary until the standby was asked, and to the standby while it keeps up', async () => {
    const replica = readingFrom(asApi(standbyUrl));
    expect(await readsStandby(replica)).toBe(false);
    await replica.look();
    expect(await readsStandby(replica)).toBe(true);
    await untilReplayed();
    clock += 60_000;
    await replica.look();
    // Nothing happened at the primary, so there is nothing that it lacks.
    expect(await readsStandby(replica)).toBe(true);
    expect(changes).toEqual([null]);
  });

  it('go to the primary while the standby is too far behind, and back once it has caught up', async () => {
    const replica = readingFrom(asApi(standbyUrl));
    await replica.look();
    await pauseReplay();
    await launchedToken(primary, { token: { quoteMint, quoteSymbol: 'USDQ' } });
    await replica.look();
    clock += MOST_LAG_MS;
    await replica.look();
    expect(await readsStandby(replica)).toBe(true);
    clock += 2_000;
    await replica.look();
    expect(replica.problem()).toBe('the standby is 7 s behind');
    expect(await readsStandby(replica)).toBe(false);
    await onStandby('select pg_wal_replay_resume()');
    await caughtUp(replica);
    expect(await readsStandby(replica)).toBe(true);
    expect(changes).toEqual([null, 'the standby is 7 s behind', null]);
  });

  it('go to the primary where the standby is away, whoever notices it first', async () => {
    const replica = readingFrom('postgresql://nobody:none@127.0.0.1:1/nothing');
    await replica.look();
    expect(replica.problem()).toContain('ECONNREFUSED');
    expect(await readsStandby(replica)).toBe(false);
  });

  it('go to no database that is another one, or takes writes', async () => {
    const other = readingFrom((await createTestDatabase()).url);
    await other.look();
    expect(other.problem()).toBe('the standby is no copy of the primary');
    await other.close();
    const same = readingFrom(asApi(server.url));
    await same.look();
    expect(same.problem()).toBe('it takes writes, so it is no standby');
    expect(await readsStandby(same)).toBe(false);
  });
});

describe('an API with a standby', () => {
  const read = async (app: ApiInstance, path: string) => {
    const answer = await app.inject(`/api/public/v1${path}`);
    return { status: answer.statusCode, data: answer.json<{ data?: unknown }>().data };
  };

  it('reads lists and sums from it, and from the primary whether a token is there', async () => {
    const replica = readingFrom(asApi(standbyUrl));
    await caughtUp(replica);
    const lists = ['/tokens', '/launches', '/rewards', '/revenue', '/revenue/history', '/stats'];
    const { mint: before } = await launchedToken(primary, { token: { quoteMint, quoteSymbol: 'USDQ' } });
    await eventually(async () => {
      const { rows } = await sql`select 1 from tokens where mint = ${before}`.execute(replica.db);
      return rows.length === 1 ? true : null;
    }, 'the token on the standby');
    await pauseReplay();
    const { mint } = await launchedToken(primary, { token: { quoteMint, quoteSymbol: 'USDQ' } });
    const app = await testApp({ db: primary, reads: replica.db });
    try {
      for (const path of lists) expect([path, (await read(app, path)).status]).toEqual([path, 200]);
      const listed = JSON.stringify((await read(app, '/tokens')).data);
      expect([listed.includes(before), listed.includes(mint)]).toEqual([true, false]);
      expect((await read(app, `/tokens/${mint}`)).status).toBe(200);
      for (const part of ['trades', 'burns', 'candles?interval=1h'])
        expect([part, (await read(app, `/tokens/${mint}/${part}`)).status]).toEqual([part, 200]);
    } finally {
      await app.close();
    }
  });
});
