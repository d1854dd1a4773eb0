import { Command } from 'commander';
import { countsInWords } from '../counts.ts';
import { play } from '../play.ts';
import { seedFor } from './seed-for.ts';
import { type Summary, summaryOf } from './summary.ts';

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
  const chosen = { CHAOS_ROUNDS: rounds, CHAOS_SEED: seed, ...(replay !== undefined && { CHAOS_REPLAY: replay }) };
  const { status, report } = await play('test/campaigns/chaos/campaign.test.ts', chosen);
  const summary = summaryOf(replay ?? seed, report);
  console.log(json ? JSON.stringify(summary, null, 2) : textOf(summary));
  process.exitCode = status;
}

function textOf({ seed, rounds, launches, outcomes, broken }: Summary): string {
  const lines = broken.map(
    ({ seed: own, faults, quoteId, problems }) => `${own} (${faults}): ${quoteId}: ${problems.join('; ')}`,
  );
  return [
    `seed ${seed}: ${rounds} rounds, ${launches} launches: ${countsInWords(outcomes)}; ${broken.length} broken`,
    ...lines,
  ].join('\n');
}
