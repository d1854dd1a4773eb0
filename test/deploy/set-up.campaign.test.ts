import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NativeConnection } from '@temporalio/worker';
import { sql } from 'kysely';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../db/connect.ts';
import { Supervisor } from '../../dev/stack/supervisor.ts';
import { createTestDatabase } from '../setup/database.ts';
import { createTestTemporal } from '../setup/temporal.ts';
import { LIMITS } from '../support/deploy/bouncer.ts';
import { HAPROXY } from '../support/deploy/proxy.ts';
import { type SetUp, startSetUp } from '../support/deploy/set-up.ts';
import { registerNamespace } from '../support/worker/namespaces.ts';

const PROJECT = join(import.meta.dirname, '../..');

/** `SET_UP_FROM=images` runs the images that deploy/build-image.sh has built. */
const FROM_IMAGES = process.env['SET_UP_FROM'] === 'images';

/** A database whose owner has the rights and limits of docs/deploy.md, and no more. */
async function emptyDatabase(): Promise<string> {
  const { url } = await createTestDatabase({ migrated: false });
  const [role, password] = [`slipway_${randomBytes(4).toString('hex')}`, randomBytes(12).toString('hex')];
  const admin = connect(url);
  await sql`create role ${sql.ref(role)} login password ${sql.lit(password)}`.execute(admin);
  for (const [limit, value] of Object.entries(LIMITS))
    await sql`alter role ${sql.ref(role)} set ${sql.ref(limit)} = ${sql.lit(value)}`.execute(admin);
  const own = new URL(url);
  await sql`alter database ${sql.ref(own.pathname.slice(1))} owner to ${sql.ref(role)}`.execute(admin);
  await admin.destroy();
  [own.username, own.password] = [role, password];
  return own.href;
}

const DemoSchema = Type.Object({
  launches: Type.Array(
    Type.Object({
      launch: Type.Object({ name: Type.String(), paymentSignature: Type.String() }),
      findings: Type.Array(Type.Object({ what: Type.String(), found: Type.String(), ok: Type.Boolean() })),
    }),
  ),
});

describe.skipIf(HAPROXY === undefined)(
  'the compose set-up on a local chain, by its own commands (skipped without haproxy on PATH)',
  () => {
    let directory: string;
    let supervisor: Supervisor;
    let setUp: SetUp;

    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), 'slipway-set-up-'));
      supervisor = new Supervisor({
        logDirectory: join(directory, 'logs'),
        recordFile: join(directory, 'parts.json'),
        files: [],
        onEvent: () => undefined,
      });
      const { address, unique } = await createTestTemporal();
      const namespace = unique('set-up');
      const connection = await NativeConnection.connect({ address });
      await registerNamespace(connection, namespace);
      await connection.close();
      const databaseUrl = await emptyDatabase();
      const temporal = { address, namespace };
      setUp = await startSetUp({ directory, supervisor, databaseUrl, temporal, fromImages: FROM_IMAGES });
    }, 300_000);
    afterAll(async () => {
      await supervisor.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    it('is two APIs and two workers, which all say that they live', async () => {
      expect([setUp.apiUrls.length, setUp.workerUrls.length]).toEqual([2, 2]);
      const ports = (name: string, urls: readonly string[]) => urls.map((url) => ({ [name]: new URL(url).port }));
      const all = [...ports('PORT', setUp.apiUrls), ...ports('WORKER_PORT', setUp.workerUrls)];
      const nobody = { PORT: '9', WORKER_PORT: '9' };
      const health = await Promise.all([
        ...all.map((one) => setUp.health({ ...nobody, ...one })),
        setUp.health(nobody),
      ]);
      expect(health).toEqual([...all.map(() => 'alive'), 'not alive']);
    });

    it.each(['api', 'worker'])('is what ops doctor wants of the %s', async (name) => {
      const found = await setUp.run(`local-${name}`, ['local-ops', 'doctor', '--of', name]);
      expect(found).toContain('\nnext     start API and worker');
    });

    it('has the demo’s client launch through the proxy', { timeout: 120_000 }, async () => {
      const args = ['dev/demo.ts', '--url', setUp.url, '--rpc-url', setUp.rpcUrl, '--json'];
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: PROJECT });
      const { launches } = Value.Parse(DemoSchema, Value.Clean(DemoSchema, JSON.parse(stdout)));
      expect(launches.map(({ launch }) => launch.name)).toEqual(['Driftwood', 'Lantern']);
      expect(launches.flatMap(({ findings }) => findings.filter(({ ok }) => !ok))).toEqual([]);
      const listed = await setUp.run('local-api', ['ops', 'launches', 'list', '--json']);
      for (const { launch } of launches) expect(listed).toContain(launch.name);
    });
  },
);
