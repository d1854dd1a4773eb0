import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join, matchesGlob } from 'node:path';
import { promisify } from 'node:util';
import Type from 'typebox';
import Value from 'typebox/value';
import { errorText } from '../../../domain/error-text.ts';
import { CAMPAIGN_FILES } from '../../setup/vitest-projects.ts';
import { openScratchCopy } from '../scratch-copy.ts';
import type { PlantedBug } from './planted-bug.ts';

const run = promisify(execFile);

/** What the tests said of a bug: `caughtBy` are the full names of those that failed. */
export interface Verdict {
  readonly bug: PlantedBug;
  readonly caughtBy: readonly string[];
  /** The commands that run these tests. */
  readonly caughtIn: readonly string[];
  /** Tests that were run, passed or failed. */
  readonly ran: number;
  readonly seconds: number;
  /** Why nothing can be said: the patch does not fit any more, or its tests could not be run. */
  readonly problem?: string;
}

/** What became of one test. */
interface TestOutcome {
  readonly fullName: string;
  readonly status: string;
  /** The command that runs it. */
  readonly command: string;
}

/** A copy of the committed project in which bugs can be planted. */
export interface Workshop {
  /** Plants a bug, runs its tests, and takes it out again. */
  judge(bug: PlantedBug): Promise<Verdict>;
  close(): Promise<void>;
}

const ReportSchema = Type.Object({
  testResults: Type.Array(
    Type.Object({
      name: Type.String(),
      status: Type.String(),
      message: Type.Optional(Type.String()),
      assertionResults: Type.Array(Type.Object({ fullName: Type.String(), status: Type.String() })),
    }),
  ),
});

export async function openWorkshop(repository: string): Promise<Workshop> {
  const { path, close } = await openScratchCopy(repository, 'planted-bugs');
  return { judge: (bug) => judge(path, bug).catch((error: unknown) => unjudged(bug, error)), close };
}

function unjudged(bug: PlantedBug, error: unknown): Verdict {
  return { bug, caughtBy: [], caughtIn: [], ran: 0, seconds: 0, problem: errorText(error) };
}

async function judge(copy: string, bug: PlantedBug): Promise<Verdict> {
  const since = Date.now();
  await run('git', ['-C', copy, 'apply', bug.patchFile]);
  try {
    const results = await runTests(copy, bug);
    const tests = results.filter(({ status }) => status === 'passed' || status === 'failed');
    if (tests.length === 0) throw new Error(`${bug.name}: no test was run; see "Tests:" and "Named:" of its patch`);
    const failed = tests.filter(({ status }) => status === 'failed');
    return {
      bug,
      caughtBy: failed.map(({ fullName }) => fullName.trim()),
      caughtIn: [...new Set(failed.map(({ command }) => command))],
      ran: tests.length,
      seconds: Math.round((Date.now() - since) / 1_000),
    };
  } finally {
    await run('git', ['-C', copy, 'apply', '--reverse', bug.patchFile]);
  }
}

const CONFIG_OF: Readonly<Record<string, string>> = {
  'npm test': 'vitest.config.ts',
  'npm run test:campaigns': 'vitest.campaigns.config.ts',
};

const commandOf = (file: string): string =>
  CAMPAIGN_FILES.some((pattern) => matchesGlob(file, pattern)) ? 'npm run test:campaigns' : 'npm test';

/** Runs a bug's tests, each under the config of the command it belongs to. */
async function runTests(copy: string, bug: PlantedBug): Promise<TestOutcome[]> {
  const outcomes: TestOutcome[] = [];
  for (const [command, files] of Object.entries(Object.groupBy(bug.tests, commandOf)))
    for (const outcome of await runUnder(copy, bug, command, files ?? [])) outcomes.push({ ...outcome, command });
  return outcomes;
}

async function runUnder(copy: string, { name, named }: PlantedBug, command: string, files: readonly string[]) {
  const report = join(dirname(copy), `${name}.json`);
  const filter = named === undefined ? [] : ['--testNamePattern', named];
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs');
  const config = ['--config', CONFIG_OF[command] ?? ''];
  const options = ['run', ...config, ...files, ...filter, '--reporter=json', `--outputFile=${report}`];
  // It exits with 1 where a test fails, which is what is hoped for: the report says what happened.
  await run(process.execPath, [vitest, ...options], { cwd: copy, maxBuffer: 64 * 1024 * 1024 }).catch(
    (error: unknown) => assertTestsFailed(name, error),
  );
  const { testResults } = Value.Parse(ReportSchema, JSON.parse(await readFile(report, 'utf8')));
  const broken = testResults.find(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  // A file that cannot even be loaded says nothing about the bug.
  if (broken) throw new Error(`${name}: ${broken.name} could not be run: ${broken.message ?? 'no reason given'}`);
  return testResults.flatMap(({ assertionResults }) => assertionResults);
}

function assertTestsFailed(name: string, error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === 1) return;
  throw new Error(`the tests of ${name} could not be run`, { cause: error });
}
