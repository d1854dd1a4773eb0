import type pg from 'pg';

/** Names of statements whose plan a session keeps, by their text. */
const NAMES = new Map<string, string>();

/**
 * Declares a statement that is planned once for each session of PostgreSQL instead of once for each call: planning costs
 * a page of tokens more than reading it. It must read by keys, so that its values do not change how it is best read.
 *
 * @throws Error for a name that another statement has
 */
export function keepPlan(name: string, text: string): string {
  if ([...NAMES.values()].includes(name)) throw new Error(`two statements are named ${name}`);
  NAMES.set(text, name);
  return text;
}

/** Undefined for a statement that is planned at each call. */
export function keptName(text: string): string | undefined {
  return NAMES.get(text);
}

/** Whether a connection is a session of PostgreSQL, as far as it was asked. */
const sessions = new WeakMap<pg.PoolClient, boolean>();

/**
 * Calls back with whether the connection is a session of PostgreSQL for as long as it lasts. A pooler that lends sessions
 * for a transaction cannot keep a name; it answers a start with a process id of its own, which no session has. At once
 * from the second call on.
 */
export function askSession(client: pg.PoolClient, then: (error: Error | null, isSession: boolean) => void): void {
  const known = sessions.get(client);
  if (known !== undefined) {
    then(null, known);
    return;
  }
  client.query('select pg_backend_pid() as pid', (error: Error | null, result: pg.QueryResult<{ pid: number }>) => {
    if (error) {
      then(error, false);
      return;
    }
    // The driver's types lack it: the process id of BackendKeyData.
    const isSession = result.rows[0]?.pid === Reflect.get(client, 'processID');
    sessions.set(client, isSession);
    then(null, isSession);
  });
}
