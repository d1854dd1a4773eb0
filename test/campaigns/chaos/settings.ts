import { appendFileSync } from 'node:fs';

/** Where a campaign begins; the default is the same everywhere, so that a failure in one place is one in every place. */
export const SEED = process.env['CHAOS_SEED'] ?? 'harbour';

/** Seeds of the rounds of the random campaign: those that follow from SEED, or one that is to be played again. */
export const ROUND_SEEDS = seedsOf(process.env['CHAOS_REPLAY'], Number(process.env['CHAOS_ROUNDS'] ?? 5));

/** `all` runs every fault at every step, and every kill; otherwise a part of them, chosen once and for all. */
export const EXTENT = process.env['CHAOS_EXTENT'] ?? 'some';

/** Adds a line to the file that CHAOS_REPORT names, where it names one. */
export function report(line: object): void {
  const file = process.env['CHAOS_REPORT'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

function seedsOf(replay: string | undefined, rounds: number): string[] {
  return replay === undefined ? Array.from({ length: rounds }, (_, index) => `${SEED}-${index}`) : [replay];
}
