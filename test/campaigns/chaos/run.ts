import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { seedFor } from './seed-for.ts';
import { type Summary, summaryOf } from './summary.ts';

const ROOT = join(import.meta.dirname, '../../..');

interface Options {
  readonly rounds: string;
  readonly seed: string;
  readonly replay?: string;
  readonly json?: boolean;
}

const program = new Command('chaos')
  .description(
    'Launches tokens while faults drawn from a seed strike the platform, and judges every launch from the chain and from what ' +
      'its client was told. Ends with 1 when a promise was broken.',
  )
  .option('--rounds <number>', 'rounds of up to four launches and five faults each', '50')
  .option('--seed <text>', 'where the choices come from; the same seed makes the same choices', seedFor(new Date()))
  .option('--replay <seed>', 'one round, by the seed that was printed with it')
  .option('--json', 'print one JSON document instead of text')
  .action(main);

await program.parseAsync();

async function main({ rounds, seed, replay, json = false }: Options): Promise<void> {
  if (!/^[1-9][0-9]{0,5}$/.test(rounds))
    program.error(`--rounds is ${JSON.stringify(rounds)}; it must be a whole number`);
  const folder = mkdtempSync(join(tmpdir(), 'slipway-campaign-'));
  const report = join(folder, 'report.jsonl');
  try {
    const chosen = { CHAOS_ROUNDS: rounds, CHAOS_SEED: seed, ...(replay !== undefined && { CHAOS_REPLAY: replay }) };
    const status = await play({ ...chosen, CHAOS_REPORT: report });
    const summary = summaryOf(replay ?? seed, readFileSync(report, 'utf8'));
    console.log(json ? JSON.stringify(summary, null, 2) : textOf(summary));
    process.exitCode = status;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The campaign is a test: it gets its servers as every other test does. Its own words go to stderr. Answers its status. */
async function play(variables: Record<string, string>): Promise<number> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', 'test/campaigns/chaos/campaign.test.ts'], {
    cwd: ROOT,
    env: { ...process.env, ...variables },
    stdio: ['ignore', process.stderr, process.stderr],
  });
  await once(child, 'exit');
  return child.exitCode ?? 1;
}

function textOf({ seed, rounds, launches, outcomes, broken }: Summary): string {
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`);
  const lines = broken.map(
    ({ seed: own, faults, quoteId, problems }) => `${own} (${faults}): ${quoteId}: ${problems.join('; ')}`,
  );
  return [
    `seed ${seed}: ${rounds} rounds, ${launches} launches: ${counts.join(', ')}; ${broken.length} broken`,
    ...lines,
  ].join('\n');
}
