import { join } from 'node:path';
import { Command } from 'commander';
import { type PlantedBug, plantedBugs } from './planted-bug.ts';
import { openWorkshop, type Verdict } from './workshop.ts';

const REPOSITORY = join(import.meta.dirname, '../../..');

const program = new Command('run')
  .usage('[options] [names...]')
  .description(
    'Plants each bug of this folder into a temporary copy of the last commit, runs the tests that its patch names, and ' +
      'expects at least one of them to fail. Ends with 1 when a bug is not caught.',
  )
  .argument('[names...]', 'bugs to plant; all when none is named')
  .option('--json', 'print one JSON document instead of a table')
  .option('--list', 'only list the bugs')
  .action((names: string[], options: { json?: boolean; list?: boolean }) => main(names, options));

await program.parseAsync();

async function main(names: readonly string[], { json = false, list = false }): Promise<void> {
  const bugs = chosen(names);
  if (list) return print(json, bugs.map(summaryOf), () => bugs.map(({ name, what }) => `${name.padEnd(28)} ${what}`));
  const verdicts = await judgeAll(bugs, json);
  print(json, verdicts.map(resultOf), () => tableOf(verdicts));
  if (verdicts.some(({ caughtBy }) => caughtBy.length === 0)) process.exitCode = 1;
}

function chosen(names: readonly string[]): PlantedBug[] {
  const bugs = plantedBugs(import.meta.dirname);
  const unknown = names.find((name) => !bugs.some((bug) => bug.name === name));
  if (unknown !== undefined) program.error(`there is no planted bug ${JSON.stringify(unknown)}; see --list`);
  return names.length === 0 ? bugs : bugs.filter(({ name }) => names.includes(name));
}

async function judgeAll(bugs: readonly PlantedBug[], quiet: boolean): Promise<Verdict[]> {
  const workshop = await openWorkshop(REPOSITORY);
  try {
    const verdicts: Verdict[] = [];
    for (const bug of bugs) {
      const verdict = await workshop.judge(bug);
      verdicts.push(verdict);
      if (!quiet) console.error(progressOf(verdict));
    }
    return verdicts;
  } finally {
    await workshop.close();
  }
}

function progressOf({ bug, caughtBy, ran, seconds, problem }: Verdict): string {
  return `${bug.name}: ${problem ?? `${caughtBy.length} of ${ran} failed (${seconds} s)`}`;
}

function summaryOf({ name, what, tests }: PlantedBug) {
  return { name, what, tests };
}

function resultOf({ bug, ...found }: Verdict) {
  return { ...summaryOf(bug), caught: found.caughtBy.length > 0, ...found };
}

function tableOf(verdicts: readonly Verdict[]): string[] {
  const lines = verdicts.map(({ bug, caughtBy, caughtIn, problem }) => {
    const by = caughtBy[0] ?? (problem === undefined ? 'NOT CAUGHT' : 'not judged: see above');
    const more = caughtBy.length > 1 ? ` (and ${caughtBy.length - 1} more)` : '';
    return `| ${bug.name} | ${bug.what} | ${by}${more} | ${caughtIn.join(', ')} |`;
  });
  return ['| bug | what is wrong | caught by | command |', '| --- | --- | --- | --- |', ...lines];
}

function print(json: boolean, document: object, lines: () => readonly string[]): void {
  console.log(json ? JSON.stringify(document, null, 2) : lines().join('\n'));
}
