import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What is run on a real program only where its binary is at hand, by the binary's name in PROGRAMS_DIR. */
const LAYERS = [
  {
    elf: 'raydium_clmm.so',
    layer: "Raydium's pools, swaps and fees on the real program, and the whole platform on it",
    instead: 'covered by golden bytes and by packet sizes alone',
  },
  {
    elf: 'mpl_token_metadata.so',
    layer: "metadata of standard mints on Metaplex' real program",
    instead: 'covered by golden bytes alone',
  },
  {
    elf: 'raydium_lock.so',
    layer: "locks and harvests through Raydium's lock program",
    instead: 'covered by golden bytes alone; no test runs them yet, with or without the binary',
  },
] as const;

const CONTRACT =
  'skipped: generated requests against the full document (python3 3.10 or newer, with venv, is missing); covered by the requests of all other tests';

/** One line for each layer of the tests that is skipped for want of a program's binary or of Python; none where all are at hand. */
export function skippedLayers(programsDir: string | undefined, hasPython: boolean): string[] {
  const isThere = (elf: string) => programsDir !== undefined && existsSync(join(programsDir, elf));
  const where = programsDir === undefined ? 'PROGRAMS_DIR is not set' : `there is no such file in ${programsDir}`;
  const programs = LAYERS.filter(({ elf }) => !isThere(elf)).map(
    ({ elf, layer, instead }) => `skipped: ${layer} (${elf}: ${where}); ${instead}`,
  );
  return hasPython ? programs : [...programs, CONTRACT];
}
