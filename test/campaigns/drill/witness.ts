import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isTransientDatabaseError } from '../../../db/errors.ts';
import { eventually } from '../../support/platform/eventually.ts';
import { onServer } from '../../support/db/copy-server.ts';

/** Commits one row after the other and knows how many commits the server has confirmed. */
export interface Witness {
  /** False once a commit has failed. */
  readonly isWriting: () => boolean;
  /** Waits until the server is lost; answers how many commits it had confirmed. */
  readonly confirmed: () => Promise<number>;
}

/** Pause between two commits, in ms. */
const PAUSE_MS = 1;

/** So many commits are confirmed before anything happens. */
const WARM = 50;

/** Begins to write, beside the service's own database, and answers once it writes steadily. */
export async function startWitness(databaseUrl: string): Promise<Witness> {
  const server = new pg.Client({ connectionString: besideIt(databaseUrl) });
  // The query that is under way fails too, and is where it is noticed.
  server.on('error', () => undefined);
  await server.connect();
  await server.query('drop table if exists confirmed_commits');
  await server.query('create table confirmed_commits (number integer primary key)');
  let confirmed = 0;
  let isWriting = true;
  const writing = (async () => {
    for (; ; await sleep(PAUSE_MS)) {
      await server.query('insert into confirmed_commits values ($1)', [confirmed]);
      confirmed += 1;
    }
  })().catch((error: unknown) => {
    isWriting = false;
    if (!isTransientDatabaseError(error)) throw error;
    return confirmed;
  });
  await eventually(() => Promise.resolve(confirmed >= WARM || null), `${WARM} commits`);
  return { isWriting: () => isWriting, confirmed: () => writing };
}

/** How many commits of the witness a server has. One more than was confirmed may be there. */
export function commitsOn(databaseUrl: string): Promise<number> {
  return onServer(besideIt(databaseUrl), async (server) => {
    const { rows } = await server.query<{ count: string }>('select count(*) from confirmed_commits');
    return Number(rows[0]?.count);
  });
}

/** The database of the same server that the service does not use. */
function besideIt(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.pathname = '/postgres';
  return url.href;
}
