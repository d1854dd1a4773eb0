import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Type from 'typebox';
import { Value } from 'typebox/value';

/** No dependency: larger than all of them. */
const LIGHTHOUSE = 'lighthouse@13.5.0';

/** Chromium sometimes truncates a trace. */
const ATTEMPTS = 3;

const run = promisify(execFile);

const CategorySchema = Type.Object({ score: Type.Number() });
const AuditSchema = Type.Object({ numericValue: Type.Number() });
const ReportSchema = Type.Object({
  environment: Type.Object({ benchmarkIndex: Type.Number() }),
  categories: Type.Object({
    performance: CategorySchema,
    accessibility: CategorySchema,
    'best-practices': CategorySchema,
    seo: CategorySchema,
  }),
  audits: Type.Object({
    'first-contentful-paint': AuditSchema,
    'largest-contentful-paint': AuditSchema,
    'total-blocking-time': AuditSchema,
    'cumulative-layout-shift': AuditSchema,
    'speed-index': AuditSchema,
    'total-byte-weight': AuditSchema,
  }),
});

/** 0 to 100, ms, a share. */
export interface Visit {
  readonly scores: Readonly<Record<'performance' | 'accessibility' | 'bestPractices' | 'seo', number>>;
  readonly firstPaintMs: number;
  readonly largestPaintMs: number;
  readonly blockingMs: number;
  readonly shift: number;
  readonly bytes: number;
  /** The slowdown of 4 is for about 1,500 or more. */
  readonly benchmarkIndex: number;
}

/**
 * A phone on a slow network.
 *
 * @throws with Lighthouse's message
 */
export async function visit(chromium: string, url: string, slowdown: number): Promise<Visit> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await visitOnce(chromium, url, slowdown);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

async function visitOnce(chromium: string, url: string, slowdown: number): Promise<Visit> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-lighthouse-'));
  const file = join(folder, 'report.json');
  const options = [
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
    `--throttling.cpuSlowdownMultiplier=${slowdown}`,
  ];
  const flags = '--chrome-flags=--headless=new --no-sandbox --disable-dev-shm-usage --disable-background-networking';
  try {
    const args = ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', url, ...options, flags];
    await run('npm', args, { env: { ...process.env, CHROME_PATH: chromium } });
    return visitOf(JSON.parse(await readFile(file, 'utf8')));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function visitOf(report: unknown): Visit {
  const { categories, audits, environment } = Value.Parse(ReportSchema, report);
  return {
    scores: {
      performance: Math.round(categories.performance.score * 100),
      accessibility: Math.round(categories.accessibility.score * 100),
      bestPractices: Math.round(categories['best-practices'].score * 100),
      seo: Math.round(categories.seo.score * 100),
    },
    firstPaintMs: audits['first-contentful-paint'].numericValue,
    largestPaintMs: audits['largest-contentful-paint'].numericValue,
    blockingMs: audits['total-blocking-time'].numericValue,
    shift: audits['cumulative-layout-shift'].numericValue,
    bytes: audits['total-byte-weight'].numericValue,
    benchmarkIndex: environment.benchmarkIndex,
  };
}
