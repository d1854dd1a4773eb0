import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command, Option } from 'commander';
import { FileMigrationProvider, Kysely, type MigrationResultSet, Migrator, NO_MIGRATIONS } from 'kysely';
import { errorTextWithCauses } from '../domain/error-text.ts';
import { grantToApi } from './api-role.ts';
import { connect, createPool, type Db } from './connect.ts';
import { classifyDatabaseError, isServerError, RefusedError } from './errors.ts';
import { MigrationDialect } from './migration-dialect.ts';
import { keepClientPackage, readClientPackage } from './platform/client-package.ts';
import { openWork } from './open-work.ts';
import { isExpanding, MIGRATIONS, schemaGap, schemaProblem } from './schema-gap.ts';

/** Reads the migrations; the folder contains nothing else. */
const provider = new FileMigrationProvider({
  fs: { readdir },
  // A plain path with a percent or number sign breaks as an import specifier.
  path: { join: (...parts) => pathToFileURL(join(...parts)).href },
  migrationFolder: MIGRATIONS,
});

/** Null if it has not run. */
export interface MigrationState {
  readonly name: string;
  readonly executedAt: Date | null;
}

/**
 * Returns the names that ran: none when current, or ahead by migrations that this code tolerates. An advisory lock
 * serializes processes.
 *
 * @throws with the failed migration's name; the schema is then unchanged
 */
export async function migrateToLatest(databaseUrl: string): Promise<string[]> {
  if (await isAhead(databaseUrl)) return [];
  return migrate(databaseUrl, (migrator) => migrator.migrateToLatest());
}

function isAhead(databaseUrl: string): Promise<boolean> {
  return withDatabase(databaseUrl, async (db) => {
    const gap = await schemaGap(db);
    return schemaProblem(gap) === null && gap.unknown.some(isExpanding);
  });
}

async function withDatabase<T>(databaseUrl: string, use: (db: Db) => Promise<T>): Promise<T> {
  const db = connect(databaseUrl, { applicationName: 'slipway-migrate', maxConnections: 1 });
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

/** The newest, or all; returns their names. Data in dropped tables is lost. */
export function migrateDown(databaseUrl: string, how: 'one' | 'all' = 'one'): Promise<string[]> {
  return migrate(databaseUrl, (migrator) =>
    how === 'one' ? migrator.migrateDown() : migrator.migrateTo(NO_MIGRATIONS),
  );
}

export function migrationStatus(databaseUrl: string): Promise<MigrationState[]> {
  return withMigrator(databaseUrl, async (migrator) =>
    (await migrator.getMigrations()).map(({ name, executedAt }) => ({ name, executedAt: executedAt ?? null })),
  );
}

function migrate(databaseUrl: string, run: (migrator: Migrator) => Promise<MigrationResultSet>): Promise<string[]> {
  return withMigrator(databaseUrl, async (migrator) => {
    const { error, results = [] } = await run(migrator);
    const failed = results.find((result) => result.status === 'Error');
    if (error !== undefined) {
      throw new Error(`migration ${failed ? `"${failed.migrationName}" ` : ''}failed`, { cause: error });
    }
    return results.map((result) => result.migrationName);
  });
}

async function withMigrator<T>(databaseUrl: string, use: (migrator: Migrator) => Promise<T>): Promise<T> {
  const pool = createPool(databaseUrl, { applicationName: 'slipway-migrate', maxConnections: 2 });
  const db = new Kysely<unknown>({ dialect: new MigrationDialect(pool) });
  try {
    return await use(new Migrator({ db, provider }));
  } finally {
    await db.destroy();
  }
}

interface CliOptions {
  readonly databaseUrl: string;
  readonly json?: boolean;
}

interface UpOptions extends CliOptions {
  readonly apiRole?: string;
  readonly webDir?: string;
}

interface DownOptions extends CliOptions {
  readonly all?: boolean;
  readonly losing?: string;
}

function cli(): Command {
  const program = new Command('migrate').description('change the schema of the database');
  const command = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .addOption(new Option('--database-url <url>', 'PostgreSQL URL').env('DATABASE_URL').makeOptionMandatory())
      .option('--json', 'print JSON');
  command('up', 'run every migration that has not run')
    .addOption(
      new Option('--api-role <role>', 'then give this role what the API needs, and nothing more').env(
        'API_DATABASE_ROLE',
      ),
    )
    .addOption(
      new Option('--web-dir <folder>', 'then keep its package of the client, which later releases go on serving').env(
        'WEB_DIR',
      ),
    )
    .action((options: UpOptions) => run(options, (url) => migrateUp(url, options)));
  command('down', 'take back the newest migration')
    .option('--all', 'take back every migration, with all that is in the database')
    .option(
      '--losing <database>',
      'the name of the database whose data is to be lost: with --all, and where only the first migration is left',
    )
    .action((options: DownOptions) => run(options, async (url) => ({ takenBack: await takeBack(url, options) })));
  command('status', 'list the migrations').action((options: CliOptions) =>
    run(options, async (url) => ({ migrations: await migrationStatus(url) })),
  );
  return program;
}

async function migrateUp(databaseUrl: string, { apiRole, webDir }: UpOptions): Promise<Result> {
  const ran = await migrateToLatest(databaseUrl);
  return {
    ran,
    ...(apiRole && (await grant(databaseUrl, apiRole))),
    ...(webDir && { kept: await keepClient(databaseUrl, webDir) }),
  };
}

async function grant(databaseUrl: string, apiRole: string): Promise<Result> {
  // A newer release may grant its API more.
  if (await isAhead(databaseUrl)) return { leftAsGranted: [apiRole] };
  await withDatabase(databaseUrl, (db) => grantToApi(db, apiRole));
  return { granted: [apiRole] };
}

/** Keeps the client's package of a built site; returns its name, none without one. */
export async function keepClient(databaseUrl: string, webDirectory: string): Promise<string[]> {
  const found = await readClientPackage(webDirectory);
  if (found === null) return [];
  await withDatabase(databaseUrl, (db) => keepClientPackage(db, found));
  return [found.fileName];
}

/** The first loses everything: it requires the database's name and no open work. */
async function takeBack(databaseUrl: string, { all = false, losing }: DownOptions): Promise<string[]> {
  if (!all && (await ranMigrations(databaseUrl)) !== 1) return migrateDown(databaseUrl);
  const name = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
  if (losing !== name)
    throw new RefusedError(`this loses everything that is in database "${name}": say so with --all --losing ${name}`);
  const open = await withDatabase(databaseUrl, openWork);
  if (open !== null) throw new RefusedError(`database "${name}" is needed: ${open}`);
  return migrateDown(databaseUrl, 'all');
}

async function ranMigrations(databaseUrl: string): Promise<number> {
  return (await migrationStatus(databaseUrl)).filter(({ executedAt }) => executedAt !== null).length;
}

type Result = Record<string, (string | MigrationState)[]>;

function print(options: CliOptions, result: Result): void {
  process.stdout.write(`${options.json ? JSON.stringify(result) : toLines(result)}\n`);
}

function toLines(result: Result): string {
  const line = (entry: string | MigrationState) =>
    typeof entry === 'string' ? entry : `${entry.name}  ${entry.executedAt?.toISOString() ?? 'not run'}`;
  return Object.entries(result)
    .map(([title, entries]) => `${title}: ${entries.length}\n${entries.map((entry) => `  ${line(entry)}`).join('\n')}`)
    .join('\n');
}

/** Returns a message for users, without the URL, which may hold a password; null: print the stack. */
function complaint(error: unknown, databaseUrl: string): string | null {
  if (error instanceof RefusedError) return error.message;
  const where = URL.canParse(databaseUrl) ? new URL(databaseUrl).host : 'DATABASE_URL';
  if (classifyDatabaseError(error) === 'connection')
    return `the database at ${where} cannot be reached: ${errorTextWithCauses(error)}`;
  if (isServerError(error)) return `the database at ${where} refuses: ${error.message}`;
  const isOfMigration = error instanceof Error && isServerError(error.cause);
  return isOfMigration ? errorTextWithCauses(error) : null;
}

async function run(options: CliOptions, work: (databaseUrl: string) => Promise<Result>): Promise<void> {
  try {
    print(options, await work(options.databaseUrl));
  } catch (error) {
    const text = complaint(error, options.databaseUrl);
    if (text === null) throw error;
    process.stderr.write(`migrate: ${text}\n`);
    process.exitCode = 1;
  }
}

if (import.meta.main) await cli().parseAsync();
