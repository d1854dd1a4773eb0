import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError } from 'commander';
import { sql } from 'kysely';
import { connect, type Db } from '../db/connect.ts';
import * as poolCursors from '../db/market/pool-cursors.ts';
import { launchTerms } from '../test/support/launch/launch-rows.ts';
import { ANCHORS, paceAt, TARGETS } from './day/anchors.ts';
import { type MixTimes, runMix } from './day/mix.ts';
import { benchCommand } from './bench-command.ts';
import { createRig } from './launch-latency/rig.ts';
import { cpuSecondsOf } from './launch-load/cpu.ts';
import { launchCoins, type OpenRoundsFixture, tradeEach } from './open-rounds/reward-coins.ts';
import { type OwnStack, withOwnStack } from './own-stack.ts';
import { seedScale } from './reads/scale-seed.ts';
import { quantile } from './statistics.ts';
import { wholeNumber } from './whole-number.ts';

interface Options {
  readonly json?: true;
  readonly scale: number;
  readonly minutes: number;
  readonly coins: number;
}

/** A short run has rounds. */
const VARIABLES = {
  LOCAL_STREAM: '1',
  REWARD_ROUND_EVERY_SECONDS: '60',
  REWARD_SNAPSHOT_WINDOW_SLOTS: '60',
  REWARD_SALE_WINDOW_SECONDS: '5',
};

const PARTS = ['api', 'worker', 'temporal', 'postgres', 'localnet', 'block-engine'] as const;

/** ms. */
const FINAL_WITHIN_MS = 120_000;

interface Report {
  readonly scale: number;
  readonly minutes: number;
  readonly coins: number;
  readonly mix: MixTimes;
  readonly rounds: number;
  readonly payoutTransactions: number;
  /** Null after a timeout. */
  readonly finalAfterSeconds: number | null;
  readonly cores: Readonly<Record<string, number>>;
}

async function measure({ json, scale, minutes, coins }: Options): Promise<void> {
  const report = await withOwnStack((own) => runDay(own, { scale, minutes, coins }), { variables: VARIABLES });
  const { mix, ...rest } = report;
  const { launches, trades, reads, failures } = mix;
  const figures = { launches: spread(launches), trades: spread(trades), reads: mapped(reads, spread), failures };
  console.log(
    json === true ? JSON.stringify({ bench: 'day', ...rest, ...figures, targets: TARGETS }) : describe(report),
  );
}

async function runDay(own: OwnStack, { scale, minutes, coins }: Omit<Options, 'json'>): Promise<Report> {
  const db = connect(own.stack.databaseUrl, { applicationName: 'slipway-bench', statementTimeoutMs: 0 });
  const forMs = minutes * 60_000;
  const pace = paceAt(scale);
  await seedTokens(own, db);
  const rig = await createRig(own, coins + 2 + Math.ceil(forMs / pace.launchMs));
  try {
    const ground: OpenRoundsFixture = { own, rig, db };
    const mints = await launchCoins(ground, coins);
    await tradeEach(ground, mints);
    process.stderr.write(`the day begins: ${minutes} min at ${scale} of its scale\n`);
    const begunAt = new Date();
    const [before, begun] = [cpuOf(own), performance.now()];
    const mix = await runMix(ground, mints, pace, forMs);
    const [after, seconds] = [cpuOf(own), (performance.now() - begun) / 1_000];
    const finalAfterSeconds = await secondsUntilFinal(db);
    return {
      scale,
      minutes,
      coins,
      mix,
      ...(await paidSince(db, begunAt)),
      finalAfterSeconds,
      cores: Object.fromEntries(PARTS.map((part) => [part, (after[part] - before[part]) / seconds])),
    };
  } finally {
    await rig.close();
    await db.destroy();
  }
}

/** For lists and sums: they have no pools. */
async function seedTokens({ stack }: OwnStack, db: Db): Promise<void> {
  const specs = (['worker', 'api'] as const).flatMap((part) => stack.specOf(part) ?? []);
  for (const { name } of specs) await stack.end(name);
  await seedScale(db, { tokens: ANCHORS.tokens, swaps: 0, terms: launchTerms() });
  await sql`delete from pool_cursors`.execute(db);
  await sql`vacuum analyze`.execute(db);
  for (const spec of specs.toReversed()) await stack.start(spec);
  process.stderr.write(`${ANCHORS.tokens} tokens are there\n`);
}

async function secondsUntilFinal(db: Db): Promise<number | null> {
  const begun = performance.now();
  while (performance.now() - begun < FINAL_WITHIN_MS) {
    const { oldestChange, gaps } = await poolCursors.totals(db);
    if (oldestChange === null && gaps === 0) return (performance.now() - begun) / 1_000;
    await sleep(250);
  }
  return null;
}

async function paidSince(db: Db, begunAt: Date): Promise<Pick<Report, 'rounds' | 'payoutTransactions'>> {
  const rounds = await db.selectFrom('rewardRounds').select('id').where('endedAt', '>=', begunAt).execute();
  const paid = await db
    .selectFrom('rewardTransactions')
    .select('signature')
    .where('kind', '=', 'payout')
    .where('state', '=', 'done')
    .where('landedAt', '>=', begunAt)
    .execute();
  return { rounds: rounds.length, payoutTransactions: paid.length };
}

function cpuOf({ stack }: OwnStack): Record<(typeof PARTS)[number], number> {
  const of = (part: string) => cpuSecondsOf(stack.pidOf(part) ?? 0);
  return {
    api: of('api'),
    worker: of('worker'),
    temporal: of('temporal'),
    postgres: of('postgres'),
    localnet: of('localnet'),
    'block-engine': of('block-engine'),
  };
}

function spread(ms: readonly number[]) {
  if (ms.length === 0) return { count: 0 };
  return { count: ms.length, p50: quantile(ms, 0.5), p95: quantile(ms, 0.95), p99: quantile(ms, 0.99) };
}

function mapped<One, Other>(record: Readonly<Record<string, One>>, map: (one: One) => Other): Record<string, Other> {
  return Object.fromEntries(Object.entries(record).map(([name, one]) => [name, map(one)]));
}

function describe({
  scale,
  minutes,
  coins,
  mix,
  rounds,
  payoutTransactions,
  finalAfterSeconds,
  cores,
}: Report): string {
  const line = (name: string, ms: readonly number[]) => {
    const {
      count,
      p50 = 0,
      p95 = 0,
      p99 = 0,
    } = spread(ms) as { count: number; p50?: number; p95?: number; p99?: number };
    return `  ${name.padEnd(32)}${String(count).padStart(6)}${[p50, p95, p99].map((one) => one.toFixed(0).padStart(8)).join('')}`;
  };
  const final = finalAfterSeconds === null ? 'not in time' : `${finalAfterSeconds.toFixed(0)} s after the last trade`;
  const parts = Object.entries(cores).map(([part, share]) => `${part} ${share.toFixed(2)}`);
  return [
    `${minutes} min of a day at ${scale} of its scale: ${ANCHORS.tokens} tokens, ${coins} coins that trade and pay`,
    `  ${'ms'.padEnd(32)}${'count'.padStart(6)}${['p50', 'p95', 'p99'].map((name) => name.padStart(8)).join('')}`,
    line('submit → completed', mix.launches),
    line('trade → row', mix.trades),
    ...Object.entries(mix.reads).map(([path, ms]) => line(`GET ${path}`, ms)),
    `all swaps final: ${final}`,
    `reward rounds done: ${rounds}, with ${payoutTransactions} transactions of payouts`,
    `cores taken: ${parts.join(', ')}`,
    `failed: ${mix.failures.length}${mix.failures
      .slice(0, 5)
      .map((text) => `\n  ${text}`)
      .join('')}`,
    '',
    `${'what such a platform needs'.padEnd(44)}${'before'.padEnd(48)}${'to be reached'.padEnd(46)}measured by npm run bench --`,
    ...TARGETS.map(
      ({ what, before, reach, bench }) => `${what.padEnd(44)}${before.padEnd(48)}${reach.padEnd(46)}${bench}`,
    ),
  ].join('\n');
}

function share(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 1)) throw new InvalidArgumentError('It is a number above 0, at most 1.');
  return value;
}

await benchCommand('day')
  .option('--scale <share>', 'how much of the day’s load, above 0 and at most 1', share, 0.1)
  .option('--minutes <count>', 'how long it lasts', wholeNumber(1, 600), 5)
  .option('--coins <count>', 'coins that trade and whose holders are paid', wholeNumber(1, 200), 12)
  .action(measure)
  .parseAsync();
