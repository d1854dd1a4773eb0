import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { tcpHealth } from '../../../dev/stack/health.ts';
import type { PartSpec } from '../../../dev/stack/part.ts';
import { freePort } from '../../../dev/stack/ports.ts';
import { bouncerSettings, LIMITS, PGBOUNCER, throughBouncer } from '../../support/deploy/bouncer.ts';
import { HAPROXY, proxySettings } from '../../support/deploy/proxy.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import { specOf } from './releases.ts';

/** What stands between clients, APIs and the database, where this machine has it. */
export const BETWEEN: readonly string[] = [
  ...(HAPROXY === undefined ? [] : ['proxy']),
  ...(PGBOUNCER === undefined ? [] : ['pgbouncer']),
];

type Program = Pick<PartSpec, 'name' | 'command' | 'args'> & { readonly port: number };

/** Starts a program that listens on a port, and starts it again when it dies. */
async function startPart({ stack }: RealStack, { port, ...program }: Program): Promise<void> {
  await stack.start({
    ...program,
    env: { PATH: process.env['PATH'] ?? '' },
    address: `127.0.0.1:${port}`,
    ports: [port],
    health: tcpHealth('127.0.0.1', port),
    readyWithinMs: 30_000,
    stopStage: 3,
    stopSignal: 'SIGTERM',
    stopWithinMs: 5_000,
  });
}

/** The proxy of the compose set-up in front of these APIs; answers its address. */
export async function addProxy(stack: RealStack, siteUrls: readonly string[]): Promise<string> {
  const port = await freePort();
  const file = join(stack.layout.temporary, 'haproxy.cfg');
  // All clients of the drill have one address.
  writeFileSync(file, proxySettings(port, siteUrls).replace('gt 300 }', 'gt 1000000 }'));
  await startPart(stack, { name: 'proxy', command: HAPROXY ?? '', args: ['-db', '-f', file], port });
  return `http://127.0.0.1:${port}`;
}

/** A PgBouncer in transaction mode between the database and what is started with the URL that it answers. */
export async function addBouncer(stack: RealStack): Promise<string> {
  const { databaseUrl } = stack.stack;
  const port = await freePort();
  for (const [limit, value] of Object.entries(LIMITS))
    await sql`alter role current_user set ${sql.ref(limit)} = ${sql.lit(value)}`.execute(stack.db);
  await startBouncer(stack, databaseUrl, port);
  return throughBouncer(databaseUrl, port);
}

async function startBouncer(stack: RealStack, databaseUrl: string, port: number): Promise<void> {
  const file = join(stack.layout.temporary, 'pgbouncer.ini');
  writeFileSync(file, bouncerSettings({ databaseUrl, port, poolSize: 20 }), { mode: 0o600 });
  await startPart(stack, { name: 'pgbouncer', command: PGBOUNCER ?? '', args: [file], port });
}

/** Starts the bouncer anew before another server; those behind it keep their address. */
export async function pointBouncerAt(stack: RealStack, databaseUrl: string): Promise<void> {
  const port = Number(specOf(stack, 'pgbouncer').address.split(':')[1]);
  await stack.stack.end('pgbouncer');
  await startBouncer(stack, databaseUrl, port);
}
