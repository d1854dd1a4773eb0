import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A bug that is planted on purpose, and the tests that have to catch it. */
export interface PlantedBug {
  /** Name of the patch file, without its ending. */
  readonly name: string;
  readonly patchFile: string;
  /** What is wrong, in words. */
  readonly what: string;
  /** Test files, of which at least one must fail. */
  readonly tests: readonly string[];
  /** Only tests whose name matches are run; all of the files' tests where it is absent. */
  readonly named?: string;
}

/**
 * Every bug of a folder, by name. A patch begins with lines `Bug: …`, `Tests: …` and perhaps `Named: …`.
 * Throws an Error that names the file where one of the first two is missing.
 */
export function plantedBugs(folder: string): PlantedBug[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.patch'));
  return files.sort().map((file) => parseBug(join(folder, file), file.replace(/\.patch$/, '')));
}

function parseBug(patchFile: string, name: string): PlantedBug {
  const header = readFileSync(patchFile, 'utf8').split('\n\n', 1)[0] ?? '';
  const field = (title: string) => new RegExp(`^${title}: (.+)$`, 'm').exec(header)?.[1];
  const [what, tests, named] = [field('Bug'), field('Tests'), field('Named')];
  if (what === undefined || tests === undefined) throw new Error(`${patchFile} does not say "Bug:" and "Tests:"`);
  return { name, patchFile, what, tests: tests.split(' '), ...(named !== undefined && { named }) };
}
