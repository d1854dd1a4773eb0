import { Command, Option } from 'commander';
import { sql } from 'kysely';
import { connect } from '../db/connect.ts';
import { migrateToLatest } from '../db/migrate.ts';
import { createTestServices } from '../test/setup/services.ts';
import { createBufferMeter } from '../test/support/db/growth/buffers.ts';
import { fillHistory } from '../test/support/db/growth/fill-history.ts';
import { GROWING, STANDING_STATEMENTS } from '../test/support/db/growth/standing-statements.ts';

// A year of the platform on disk, and what standing statements touch of it. Run: node bench/year.ts [--scale 0.01 0.1] [--json]

/** Launches and movements of a year (docs/scale.md). */
const YEAR = { launches: 400_000, movements: 100_000_000 };

interface Options {
  readonly scale: readonly string[];
  readonly json: boolean;
}

/** Maps each statement to what it touched, and for how long. */
type Part = Readonly<Record<string, { readonly buffers: number; readonly ms: number }>>;

interface Measured {
  readonly name: string;
  readonly buffers: readonly number[];
  readonly ms: readonly number[];
}

const { scale, json } = new Command('year')
  .description('fill databases with parts of a year, and measure the statements that run again and again')
  .addOption(new Option('--scale <parts...>', 'parts of a year, one database each').default(['0.01', '0.1']))
  .option('--json', 'print JSON', false)
  .parse()
  .opts<Options>();

const services = createTestServices((text) => process.stderr.write(`${text}\n`));
try {
  const { adminUrl } = await services.postgres();
  const parts: Part[] = [];
  for (const part of scale.map(Number)) parts.push(await measurePart(await filled(adminUrl, part)));
  const names = Object.keys(parts[0] ?? {});
  const rows = names.map((name) => ({
    name,
    buffers: parts.map((part) => part[name]?.buffers ?? 0),
    ms: parts.map((part) => part[name]?.ms ?? 0),
  }));
  console.log(json ? JSON.stringify({ bench: 'year', scale, rows }) : text(rows));
} finally {
  await services.stop();
}

async function filled(adminUrl: string, part: number): Promise<string> {
  const name = `year_${part}`.replace('.', '_');
  const admin = connect(adminUrl);
  await sql`create database ${sql.id(name)}`.execute(admin);
  await admin.destroy();
  const url = adminUrl.replace(/[^/]*$/, name);
  await migrateToLatest(url);
  const db = connect(url, { statementTimeoutMs: 0 });
  const begun = performance.now();
  await fillHistory(db, {
    launches: Math.round(YEAR.launches * part),
    movements: Math.round(YEAR.movements * part),
  });
  process.stderr.write(`${part} of a year is filled in ${((performance.now() - begun) / 1_000).toFixed(0)} s\n`);
  await db.destroy();
  return url;
}

async function measurePart(url: string): Promise<Part> {
  const { db, buffersOf } = createBufferMeter(url);
  const measured: Record<string, Part[string]> = {};
  for (const [name, statement] of Object.entries(STANDING_STATEMENTS)) {
    if (typeof statement === 'string') continue;
    const buffers = await buffersOf(statement);
    const begun = performance.now();
    await statement(db);
    measured[name] = { buffers, ms: performance.now() - begun };
  }
  await db.destroy();
  return measured;
}

function text(rows: readonly Measured[]): string {
  const line = ({ name, buffers, ms }: Measured) => {
    const times = ms.map((one) => one.toFixed(1)).join(', ');
    return `${name}: ${buffers.join(' → ')} buffers, ${times} ms${GROWING[name] ? ` (${GROWING[name].why})` : ''}`;
  };
  return rows.map(line).join('\n');
}
