import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { isTransientDatabaseError } from '../../../../db/errors.ts';
import { eventually } from '../../../support/platform/eventually.ts';
import type { Platform } from '../../../support/platform/platform.ts';
import { type Fault, nothingToMend, type Scene } from './fault.ts';

/** What the database can do. PostgreSQL itself raises every error. */
export const DATABASE_FAULTS: readonly Fault[] = [
  { name: 'database ends every connection', strike: endConnections },
  { name: 'database refuses writes', strike: refuseWrites },
  { name: 'database fails at commit', everyRun: true, strike: failAtCommit },
  { name: 'database holds its locks', strike: holdLocks },
];

/** As a restart does: whatever was not committed is gone, and nobody knows whether the last commit was heard. */
async function endConnections({ arena: { platform } }: Scene) {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'test'`.execute(platform.db);
  return nothingToMend;
}

/** Errors that pass: too many connections, a deadlock, a serialization failure, a shutdown, a statement that took too long. */
const CODES = ['53300', '40P01', '40001', '57P01', '57014'];

/** The next writes to the books of launches fail. */
function refuseWrites(scene: Scene) {
  return failNext(scene, 'before insert or update');
}

/** The next writes are accepted and then fail when their transaction is to be committed. */
function failAtCommit(scene: Scene) {
  return failNext(scene, 'after insert or update', true);
}

async function failNext({ arena: { platform }, random }: Scene, when: string, deferred = false) {
  const code = random.pick(CODES);
  const times = 1 + random.below(6);
  const name = `chaos_${deferred ? 'commit' : 'write'}`;
  const kind = deferred ? sql`create constraint trigger` : sql`create trigger`;
  const timing = deferred ? sql`deferrable initially deferred` : sql``;
  await mendWrites(platform, name);
  // A sequence counts on although the transaction that counted is rolled back.
  await sql`create sequence ${sql.raw(name)}`.execute(platform.db);
  await sql`create function ${sql.raw(name)}() returns trigger language plpgsql as ${sql.lit(`begin
    if nextval('${name}') <= ${times} then raise exception 'chaos' using errcode = '${code}'; end if; return new; end`)}`.execute(
    platform.db,
  );
  for (const table of ['launches', 'chain_transactions']) {
    await sql`${kind} ${sql.raw(name)} ${sql.raw(when)} on ${sql.table(table)} ${timing}
      for each row execute function ${sql.raw(name)}()`.execute(platform.db);
  }
  return () => mendWrites(platform, name);
}

async function mendWrites({ db }: Platform, name: string): Promise<void> {
  // It locks both tables, which whoever writes to both may have locked in the other order: one of the two is told to try again.
  await eventually(async () => {
    try {
      await sql`drop function if exists ${sql.raw(name)}() cascade`.execute(db);
      return true;
    } catch (error) {
      if (isTransientDatabaseError(error)) return null;
      throw error;
    }
  }, 'the end of a fault');
  await sql`drop sequence if exists ${sql.raw(name)}`.execute(db);
}

/** Somebody locks the books of launches for a moment, as a careless migration would. */
async function holdLocks({ arena: { platform }, random }: Scene) {
  const ms = 100 + random.below(1_200);
  const held = platform.db.transaction().execute(async (tx) => {
    await sql`lock table launches, chain_transactions in access exclusive mode`.execute(tx);
    await sleep(ms);
  });
  return () => held;
}
