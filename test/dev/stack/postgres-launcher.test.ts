import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../dev/stack/ports.ts';
import { findPostgresBinaries, type PostgresBinaries } from '../../../dev/stack/postgres/binaries.ts';
import { databaseUrl, postgresPart, prepareCluster } from '../../../dev/stack/postgres/cluster.ts';
import { findLauncher, ROOT_LAUNCHERS, type Launcher } from '../../../dev/stack/postgres/launcher.ts';
import { Supervisor } from '../../../dev/stack/supervisor.ts';

const isRoot = process.getuid?.() === 0;

let closed: string;
let binaries: PostgresBinaries;

beforeAll(() => {
  closed = mkdtempSync(join(tmpdir(), 'slipway-launcher-'));
  const native = dirname(dirname(findPostgresBinaries().postgres));
  cpSync(native, join(closed, 'native'), { recursive: true, verbatimSymlinks: true });
  binaries = { initdb: join(closed, 'native/bin/initdb'), postgres: join(closed, 'native/bin/postgres') };
});

afterAll(() => {
  rmSync(closed, { recursive: true });
});

/** Makes a cluster below the closed folder, starts it and asks it for its trigram extension. */
async function similarityBy(launcher: Launcher): Promise<unknown> {
  const directory = join(closed, launcher.name);
  mkdirSync(directory);
  const cluster = { binaries, launcher, directory: join(directory, 'postgres'), port: await freePort() };
  const supervisor = new Supervisor({
    logDirectory: join(directory, 'logs'),
    recordFile: join(directory, 'parts.json'),
    files: [],
    onEvent: () => undefined,
  });
  const password = await prepareCluster(cluster);
  await supervisor.start(postgresPart(cluster, password));
  try {
    const client = new pg.Client({ connectionString: databaseUrl(cluster.port, password, 'postgres') });
    await client.connect();
    await client.query('create extension pg_trgm');
    const { rows } = await client.query<{ same: number }>(`select similarity('slipway', 'slipway') as same`);
    await client.end();
    return rows;
  } finally {
    await supervisor.stop();
  }
}

test('another user than root runs PostgreSQL as it is', async () => {
  expect(await findLauncher('/nowhere/postgres', closed, 1_000)).toEqual({ name: 'as-is', prefix: [] });
});

test('where no way works the error lists each and says what to do', async () => {
  const missing = [{ name: 'other-user', prefix: ['/nowhere/setpriv'] }] as const;
  await expect(findLauncher(binaries.postgres, closed, 0, missing)).rejects.toThrow(
    /other-user: .*nowhere[^]*set DATABASE_URL/,
  );
});

describe.runIf(isRoot)('as root, below a folder nobody else can enter', () => {
  test('a way is found and PostgreSQL runs, with trigram search', async () => {
    expect(statSync(closed).mode & 0o777).toBe(0o700);
    const launcher = await findLauncher(binaries.postgres, closed);
    expect(await similarityBy(launcher)).toEqual([{ same: 1 }]);
  });

  test('without user namespaces another user keeps the capability to pass closed folders', async () => {
    const launcher = await findLauncher(binaries.postgres, closed, 0, ROOT_LAUNCHERS.slice(1));
    expect(launcher.name).toBe('other-user-with-read-capability');
    expect(await similarityBy(launcher)).toEqual([{ same: 1 }]);
  });

  test('in an open folder without user namespaces a plain other user is enough', async () => {
    chmodSync(closed, 0o755);
    const launcher = await findLauncher(binaries.postgres, closed, 0, ROOT_LAUNCHERS.slice(1));
    expect(launcher.name).toBe('other-user');
    expect(await similarityBy(launcher)).toEqual([{ same: 1 }]);
    const owner = execFileSync('stat', ['-c', '%u', join(closed, 'other-user/postgres/data')], { encoding: 'utf8' });
    expect(owner.trim()).toBe('65534');
  });
});
