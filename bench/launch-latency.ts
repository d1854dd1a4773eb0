import { Command } from 'commander';
import { runRounds } from './launch-latency/measure.ts';
import { withOwnStack } from './own-stack.ts';
import { describe, summarize } from './launch-latency/report.ts';
import { createRig } from './launch-latency/rig.ts';
import { wholeNumber } from './whole-number.ts';

type Options = { readonly rounds: number; readonly json?: true };

const WARM_UP = 3;

async function measure({ rounds, json }: Options): Promise<void> {
  const report = await withOwnStack(async (own, signal) => {
    const rig = await createRig(own, 2 * (rounds + WARM_UP));
    try {
      await runRounds(rig, WARM_UP, signal);
      return summarize(await runRounds(rig, rounds, signal));
    } finally {
      await rig.close();
    }
  });
  console.log(json === true ? JSON.stringify(report) : describe(report));
}

await new Command('node bench/launch-latency.ts')
  .description(
    'Launches standard tokens through the API of a stack of its own and sends bare bundles of the same transactions in\n' +
      'between: how much longer a launch takes, and how much of that is Temporal. About 2 minutes.',
  )
  .option('--rounds <number>', 'measured rounds, each one launch and one bare bundle', wholeNumber(2, 200), 20)
  .option('--json', 'print the figures as one line of JSON')
  .action(measure)
  .parseAsync();
