import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { pythonWith } from '../../support/python.ts';

/** Values of fields by where they stand, as `body.creatorWallet`: generated values are mixed with these, so that some requests are good. */
export type KnownValues = Readonly<Record<string, readonly string[]>>;

/** One run over a document. */
export interface ContractRun {
  /** A folder of this run's own. */
  readonly folder: string;
  /** The document. */
  readonly url: string;
  readonly examples: number;
  readonly seed: number;
  readonly known: KnownValues;
}

const ReportSchema = Type.Object({
  complete: Type.Boolean(),
  exit_code: Type.Integer(),
  test_cases: Type.Object({ generated: Type.Integer() }),
  failures: Type.Array(Type.Unknown()),
  errors: Type.Array(Type.Unknown()),
});

/** What a run found. */
export type ContractReport = Static<typeof ReportSchema>;

/** Installs Schemathesis where it is not there yet; answers its program. */
export async function installSchemathesis(): Promise<string> {
  return join(await pythonWith(join(import.meta.dirname, 'requirements.txt'), 'schemathesis'), 'schemathesis');
}

/** Generates requests from a document and judges every answer by it. Throws where Schemathesis itself fails. */
export async function runSchemathesis(program: string, run: ContractRun): Promise<ContractReport> {
  const [config, report] = [join(run.folder, 'schemathesis.toml'), join(run.folder, 'report.json')];
  writeFileSync(config, configOf(run));
  const options = ['--max-examples', String(run.examples), '--continue-on-failure', '--no-color'];
  const output = await outputOf(
    program,
    ['--config-file', config, 'run', run.url, ...options, '--report', 'json', '--report-json-path', report],
    run.folder,
  );
  try {
    return Value.Parse(ReportSchema, JSON.parse(readFileSync(report, 'utf8')));
  } catch (cause) {
    throw new Error(`Schemathesis made no report for ${run.url}: ${output}`, { cause });
  }
}

/** What it prints; that it ends with a status other than 0 means that it found something, which the report says. */
function outputOf(program: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout, stderr) => {
      resolve(`${stdout}${stderr}`);
    });
  });
}

/** How often a known value stands in the place of a generated one. */
const PROBABILITY = 0.7;

/**
 * Its settings. That a good request is taken and a bad one refused is not what it judges: a well-formed mint may be unknown, and
 * unknown parameters are ignored. 503 is an answer of ours: a switch is off, a dependency is away.
 */
function configOf({ seed, known }: ContractRun): string {
  const fields = Object.entries(known);
  return [
    `seed = ${seed}`,
    'generation.database = "none"',
    'checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "503"]',
    'checks.positive_data_acceptance.enabled = false',
    'checks.negative_data_rejection.enabled = false',
    ...fields.map(([, values], index) => `dictionaries.known${index}.values = ${JSON.stringify(values)}`),
    '[parameters]',
    ...fields.map(([field], index) => `"${field}" = { dictionary = "known${index}", probability = ${PROBABILITY} }`),
    '',
  ].join('\n');
}
