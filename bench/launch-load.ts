import { Command } from 'commander';
import { entryPointsIn, type OwnStack, withOwnStack } from './own-stack.ts';
import { createRig } from './launch-latency/rig.ts';
import { describe, reportOf, type Sample } from './launch-load/report.ts';
import { alone, type Burst, burst, type Side } from './launch-load/side.ts';
import type { Round } from './launch-latency/measure.ts';
import { wholeNumber } from './whole-number.ts';

interface Options {
  readonly beside?: string;
  readonly rounds: number;
  readonly bursts: number;
  readonly atOnce: number;
  readonly json?: true;
}

const SLOT_MS = 400;

const WARM_UP = 2;

async function measure(options: Options): Promise<void> {
  const { beside, json, atOnce } = options;
  const samples = await withOwnStack((own) =>
    beside === undefined
      ? measureSides([{ name: 'here', own }], options)
      : withOwnStack(
          (other) =>
            measureSides(
              [
                { name: 'here', own },
                { name: 'beside', own: other },
              ],
              options,
            ),
          { entryPoints: entryPointsIn(beside) },
        ),
  );
  const report = reportOf(samples, atOnce);
  console.log(json === true ? JSON.stringify(report) : describe(report));
}

async function measureSides(
  stacks: readonly { readonly name: string; readonly own: OwnStack }[],
  { rounds, bursts, atOnce }: Options,
): Promise<Sample[]> {
  const launches = 2 * (rounds + WARM_UP) + (bursts + 1) * atOnce;
  const sides: Side[] = [];
  try {
    for (const { name, own } of stacks) sides.push({ name, own, rig: await createRig(own, launches) });
    const alones = await takingTurns(sides, WARM_UP + rounds, (side, n) => {
      return alone(side, (SLOT_MS * ((n % rounds) + 0.5)) / rounds, n % 2 === 0);
    });
    const burstsOf = await takingTurns(sides, 1 + bursts, (side) => burst(side, atOnce));
    return sides.map(({ name }, index) => ({
      name,
      rounds: (alones[index] ?? ([] as Round[])).slice(WARM_UP),
      bursts: (burstsOf[index] ?? ([] as Burst[])).slice(1),
    }));
  } finally {
    for (const { rig } of sides) await rig.close();
  }
}

async function takingTurns<Result>(
  sides: readonly Side[],
  rounds: number,
  take: (side: Side, round: number) => Promise<Result>,
): Promise<Result[][]> {
  const results: Result[][] = sides.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? [...sides.keys()] : [...sides.keys()].toReversed();
    for (const index of order) results[index]!.push(await take(sides[index]!, round));
    process.stderr.write(`round ${round + 1} of ${rounds}\n`);
  }
  return results;
}

const parseCount = wholeNumber(1, 200);

await new Command('node bench/launch-load.ts')
  .description(
    'Launches tokens one by one beside bare bundles, and many at once: latency, workflow tasks, events, CPU of each part and launches\n' +
      'a second. With --beside the same of worker and API of another checkout, taking turns. About 4 minutes for each.',
  )
  .option('--beside <folder>', 'another checkout of this project, ready to run')
  .option('--rounds <number>', 'launches by themselves, each with a bare bundle', parseCount, 10)
  .option('--bursts <number>', 'how often many are launched at once', parseCount, 3)
  .option('--at-once <number>', 'how many those are', parseCount, 24)
  .option('--json', 'print the figures as one line of JSON')
  .action(measure)
  .parseAsync();
