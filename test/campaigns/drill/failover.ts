import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connect, type Db } from '../../../db/connect.ts';
import { isSystemError } from '../../../dev/stack/process-table.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import { pointBouncerAt } from './between.ts';
import { restartWith } from './releases.ts';
import { onServer } from './standby.ts';
import { commitsOn, startWitness } from './witness.ts';

const run = promisify(execFile);

/** How long the primary writes what the standby does not hear of before it is lost, in ms. */
const UNHEARD_MS = 300;

/** Everything that opened the database by its address. */
const PROCESSES = ['api', 'api-2', 'worker', 'worker-2'];

/** What a lost primary had confirmed, and how much of it is there. */
export interface Witnessed {
  readonly confirmed: number;
  readonly found: number;
}

/**
 * Loses the database's server while the standby has not heard of it for a moment, and does what docs/deploy.md says: the
 * standby is promoted, and the processes, or the bouncer before them, get its address.
 */
export async function failOver(stack: RealStack, standbyUrl: string): Promise<Witnessed> {
  const witness = await startWitness(stack.stack.databaseUrl);
  await silenceSender(stack.stack.databaseUrl);
  await sleep(UNHEARD_MS);
  await losePostgres(stack);
  const confirmed = await witness.confirmed();
  await onServer(standbyUrl, (server) => server.query('select pg_promote()'));
  const found = await commitsOn(standbyUrl);
  await pointAt(stack, standbyUrl);
  return { confirmed, found };
}

/** What was confirmed and is not on the standby, in words; empty when all of it is. */
export function lostCommits({ confirmed, found }: Witnessed): string[] {
  return found >= confirmed ? [] : [`${confirmed - found} of ${confirmed} confirmed commits went with the primary`];
}

/** What the primary commits from now on does not leave it. */
async function silenceSender(databaseUrl: string): Promise<void> {
  await onServer(databaseUrl, async (server) => {
    const { rows } = await server.query<{ pid: number }>('select pid from pg_stat_replication');
    for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
  });
}

/** `kill -9` of every process of the server at once, for good: its children have groups of their own. */
async function losePostgres(stack: RealStack): Promise<void> {
  const postmaster = stack.pidOf('postgres');
  const { stdout } = await run('pgrep', ['-P', String(postmaster)]);
  for (const pid of [postmaster, ...stdout.trim().split('\n').map(Number)]) killIfThere(pid);
  await stack.stack.end('postgres');
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!isSystemError(error, 'ESRCH')) throw error;
  }
}

async function pointAt(stack: RealStack, databaseUrl: string): Promise<void> {
  if (stack.stack.specOf('pgbouncer')) return pointBouncerAt(stack, databaseUrl);
  await Promise.all(PROCESSES.map((part) => restartWith(stack, part, { DATABASE_URL: databaseUrl })));
}

/** The drill's own way to the database, which moves with the primary. */
export interface OwnDatabase {
  readonly db: Db;
  moveTo(databaseUrl: string): void;
  close(): Promise<void>;
}

/** Begins with a connection that somebody else closes. */
export function ownDatabase(first: Db): OwnDatabase {
  const moved: Db[] = [];
  return {
    get db() {
      return moved.at(-1) ?? first;
    },
    moveTo(databaseUrl) {
      moved.push(connect(databaseUrl, { applicationName: 'drill', onIdleError: () => undefined }));
    },
    async close() {
      await Promise.all(moved.map((db) => db.destroy()));
    },
  };
}
