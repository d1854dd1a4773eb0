import { canChangeBooks } from '../../../../db/api-role.ts';
import { type SchemaReport, schemaReport } from '../../../../db/catalogue/live-schema.ts';
import { connect, type Db } from '../../../../db/connect.ts';
import { clockSkew } from '../../../../db/platform/clock-skew.ts';
import * as pairs from '../../../../db/pairs.ts';
import { isExpanding } from '../../../../db/schema-gap.ts';
import * as switches from '../../../../db/platform/switches.ts';
import { opsCommand } from '../status/line.ts';
import { toldOfRefusedWrites } from '../status/refused-writes.ts';
import { type Finding, note, ok, problem } from './finding.ts';

/** The chain is null if no endpoint named it. */
export interface Belonging {
  readonly environment: string;
  readonly genesisHash: string | null;
}

const MOST_SKEW_MS = 2_000;

export async function databaseFindings(db: Db, belonging: Belonging): Promise<Finding[]> {
  const schema = await schemaReport(db);
  const answers = [await clockFinding(db), ...(await writeFindings(db))];
  if (schema.problem !== null) return [...answers, schemaFinding(schema.problem, schema.gap)];
  const { unknown } = schema.gap;
  const ahead = unknown.length === 0 ? '' : `, and ${unknown.join(', ')}, which this release can live with`;
  return [
    ...answers,
    ok('schema', `every migration of this release has run${ahead}`),
    ...schema.notes.map((difference) => note('schema', difference)),
    await belongingFinding(db, belonging),
    await pairsFinding(db),
    ...(await switchFindings(db)),
  ];
}

export async function apiRoleFindings(databaseUrl: string): Promise<Finding[]> {
  const db = connect(databaseUrl, { applicationName: 'slipway-doctor', maxConnections: 1 });
  try {
    const { problem: mismatch } = await schemaReport(db);
    if (mismatch !== null) return [problem('api role', mismatch, 'npm run migrate -- up, with API_DATABASE_ROLE')];
    if (!(await canChangeBooks(db))) return [ok('api role', 'it reads the schema and cannot change what is paid')];
    const remedy = 'name a role in API_DATABASE_URL that does not own the schema (docs/deploy.md)';
    return [problem('api role', 'the role of API_DATABASE_URL can change what is paid', remedy)];
  } finally {
    await db.destroy();
  }
}

function schemaFinding(what: string, { lacking, unknown }: SchemaReport['gap']): Finding {
  const isMigrated = lacking.length === 0 && unknown.every(isExpanding);
  const byHand = 'make it again as db/catalogue/schema.txt has it, or restore a backup (docs/database.md)';
  return problem('schema', what, isMigrated ? byHand : 'npm run migrate -- up');
}

async function clockFinding(db: Db): Promise<Finding> {
  const { ms, askedMs } = await clockSkew(db);
  const skewMs = Math.abs(ms);
  if (skewMs <= MOST_SKEW_MS) return ok('database', `it answers within ${askedMs} ms, clocks agree`);
  return problem('database', `its clock differs from this machine's by ${skewMs} ms`, 'let both follow an NTP server');
}

async function writeFindings(db: Db): Promise<Finding[]> {
  const told = await toldOfRefusedWrites(db);
  return told === null ? [] : [problem('database', told.what, told.remedy)];
}

async function belongingFinding(db: Db, { environment, genesisHash }: Belonging): Promise<Finding> {
  const claimed = await db.selectFrom('environment').select(['environment', 'genesisHash']).executeTakeFirst();
  if (!claimed) return ok('database', `it is not claimed yet: the first process claims it for "${environment}"`);
  const isOurs = claimed.environment === environment && claimed.genesisHash === (genesisHash ?? claimed.genesisHash);
  if (isOurs) return ok('database', `it belongs to environment "${environment}"`);
  const what = `it belongs to environment "${claimed.environment}" on the chain ${claimed.genesisHash}`;
  return problem('database', what, 'correct DATABASE_URL, SOLANA_RPC_URL or ENVIRONMENT; never the table');
}

async function pairsFinding(db: Db): Promise<Finding> {
  const { length } = await pairs.list(db, { launchable: true });
  if (length > 0) return ok('pairs', `${length} quote tokens can be launched against`);
  return problem('pairs', 'no quote token is listed', opsCommand('pairs add MINT --help'));
}

/** A new platform starts with all off. */
async function switchFindings(db: Db): Promise<Finding[]> {
  const shut = (await switches.list(db)).filter(({ value }) => value === 'off').map(({ name }) => name);
  if (shut.length === 0) return [];
  return [note('switches', `${shut.join(', ')} ${shut.length === 1 ? 'is' : 'are'} off`)];
}
