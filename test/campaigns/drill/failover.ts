import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Db } from '../../../db/connect.ts';
import { isTransientDatabaseError } from '../../../db/errors.ts';
import { waitingCommits } from '../../../db/platform/waiting-commits.ts';
import { identify, isSystemError } from '../../../dev/stack/process-table.ts';
import { eventually } from '../../support/platform/eventually.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import { pointBouncerAt } from './between.ts';
import { restartWith, specOf } from './releases.ts';
import { onServer } from '../../support/db/copy-server.ts';
import { commitsOn, startWitness } from './witness.ts';

/** How long the primary writes what the standby does not hear of before it is lost, in ms. */
const UNHEARD_MS = 300;

/** A failover may take so long, from the loss until a process's own way to the database takes writes, in ms. */
const LIMIT_MS = 120_000;

/** Everything that opened the database by its address. */
const PROCESSES = ['api', 'api-2', 'worker', 'worker-2'];

/** What a lost primary had confirmed, and how much of it is there. */
export interface Witnessed {
  readonly confirmed: number;
  /** Commits that waited for the standby when it did not hear of them. */
  readonly waiting: number;
  /** Whether commits were made until the server was lost. */
  readonly isWitnessed: boolean;
  readonly found: number;
  /** From the loss until a process's own way to the database takes writes. */
  readonly ms: number;
}

/**
 * Loses the database's server while the standby has not heard of it for a moment, and does what docs/deploy.md says: the
 * standby is promoted, and the processes, or the bouncer before them, get its address. `takeOver` lets it have the
 * primary's address instead.
 */
export async function failOver(
  stack: RealStack,
  standbyUrl: string,
  takeOver: () => Promise<void> = () => pointAt(stack, standbyUrl),
): Promise<Witnessed> {
  const witness = await startWitness(stack.stack.databaseUrl);
  const processes = await silenceSender(stack.stack.databaseUrl);
  await sleep(UNHEARD_MS);
  const { count: waiting } = await waitingCommits(stack.db);
  const [isWitnessed, lostAt] = [witness.isWriting(), Date.now()];
  await losePostgres(stack, processes);
  const confirmed = await witness.confirmed();
  await onServer(standbyUrl, (server) => server.query('select pg_promote()'));
  const found = await commitsOn(standbyUrl);
  await takeOver();
  await untilWritable(stack);
  return { confirmed, waiting, isWitnessed, found, ms: Date.now() - lostAt };
}

/** Waits until the database takes a write by the address that the processes have. */
async function untilWritable(stack: RealStack): Promise<void> {
  const url = specOf(stack, 'worker').env['DATABASE_URL'] ?? '';
  await eventually(async () => {
    try {
      await onServer(url, (server) => server.query('select pg_current_xact_id()'));
      return true;
    } catch (error) {
      if (isTransientDatabaseError(error)) return null;
      throw error;
    }
  }, 'a database that takes writes');
}

/** What was confirmed and is not on the standby, in words, and what showed nothing or took too long; empty when all is well. */
export function failoverProblems({ confirmed, waiting, isWitnessed, found, ms }: Witnessed): string[] {
  const lost = confirmed - found;
  return [
    ...(lost > 0 ? [`${lost} of ${confirmed} confirmed commits went with the primary`] : []),
    ...(waiting > 0 ? [] : ['no commit was seen to wait for the standby']),
    ...(isWitnessed ? [] : ['the witness had stopped before the primary was lost']),
    ...(ms <= LIMIT_MS ? [] : [`the failover took ${ms} ms`]),
  ];
}

/** What the primary commits from now on does not leave it. Answers the ids of its processes. */
function silenceSender(databaseUrl: string): Promise<number[]> {
  return onServer(databaseUrl, async (server) => {
    const { rows } = await server.query<{ pid: number; kind: string }>(
      'select pid, backend_type as kind from pg_stat_activity',
    );
    const senders = rows.filter(({ kind }) => kind === 'walsender');
    if (senders.length === 0) throw new Error('the primary sends to no standby: its loss would show nothing');
    for (const { pid } of senders) process.kill(pid, 'SIGSTOP');
    return rows.map(({ pid }) => pid);
  });
}

/** `kill -9` of every process of the server at once, for good: its children have groups of their own. Nothing of it is left. */
async function losePostgres(stack: RealStack, processes: readonly number[]): Promise<void> {
  for (const pid of [stack.pidOf('postgres'), ...processes]) killIfThere(pid);
  await stack.stack.end('postgres');
  const isGone = () => processes.every((pid) => identify(pid) === undefined);
  await eventually(() => Promise.resolve(isGone() || null), 'the end of every process of the primary');
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
