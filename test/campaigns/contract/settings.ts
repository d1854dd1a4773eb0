import { SWITCH_VALUES, type Switches } from '../../../domain/switches.ts';

/** Examples for each operation and combination of switches; where it is set, the whole campaign is run. */
const MAX_EXAMPLES = process.env['MAX_EXAMPLES'];

/** Examples that are generated for each operation, beside those that follow from its schema. */
export const EXAMPLES = Number(MAX_EXAMPLES ?? 2);

/** Every combination of switches. */
function everyCombination(): Switches[] {
  const { launching, claiming, devBuys, airdrops, rewardLaunches } = SWITCH_VALUES;
  return launching.flatMap((one) =>
    claiming.flatMap((two) =>
      devBuys.flatMap((three) =>
        airdrops.flatMap((four) =>
          rewardLaunches.map((five) => ({
            launching: one,
            claiming: two,
            devBuys: three,
            airdrops: four,
            rewardLaunches: five,
          })),
        ),
      ),
    ),
  );
}

/** What is run each time: everything on, in all phases, and everything off. */
function endsOf(all: readonly Switches[]): Switches[] {
  return [...all.slice(0, 1), ...all.slice(-1)];
}

/** The combinations that this run goes through. */
export const COMBINATIONS = MAX_EXAMPLES === undefined ? endsOf(everyCombination()) : everyCombination();

/** Where generation begins; a combination's own is this and its place. */
export const SEED = Number(process.env['CONTRACT_SEED'] ?? 1);
