import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@solana/web3.js';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { errorTextWithCauses } from '../../../domain/error-text.ts';
import { CONFORMANCE_REPORT } from '../../../ops/commands/platform/doctor/conformance-check.ts';
import { campaignCommand, runCampaign } from '../command.ts';
import { readReport, type Report } from './report.ts';
import { startFork } from './surfnet.ts';
import { type Subject, subjectVariables } from './subject.ts';

interface Options {
  readonly fork?: string;
  readonly rpc?: string;
  readonly exchange: Subject['kind'];
  readonly only?: string;
  readonly json?: true;
  /** Where a run on a fork leaves its report; false for nowhere. */
  readonly report: string | false;
}

/** The cluster that was forked. */
interface Forked {
  readonly cluster: string;
  readonly genesisHash: string;
}

const MORE = `
A fork takes accounts and programs of the cluster when they are first used and changes nothing there. It needs surfpool
(an optional dependency, for Linux on x64) and runs one test at a time: some minutes.
--rpc is for a chain that has a faucet, such as a fork or a local chain that runs already.
The whole suite on a fork also writes its report to deploy/conformance.json, to be committed; "ops doctor" looks there, and
takes it for the cluster alone whose genesis hash it carries.
Progress goes to stderr. Exit status: 0 all passed, 1 something failed, 2 wrong usage.`;

const VITEST = join(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs');

const say = (text: string) => process.stderr.write(`${text}\n`);

function httpUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('it is not an http or https URL.');
}

async function conformance(options: Options, command: Command): Promise<void> {
  const { fork: cluster, rpc, exchange: kind } = options;
  if ((cluster === undefined) === (rpc === undefined)) command.error('error: give either --fork URL or --rpc URL');
  const forked = cluster === undefined ? null : await lookAt(cluster);
  if (forked !== null) say(`forking ${forked.cluster} (genesis ${forked.genesisHash}) …`);
  const fork = cluster === undefined ? null : startFork(cluster);
  try {
    const report = await runSuite({ kind, rpcUrl: fork?.rpcUrl ?? rpc ?? '' }, options.only);
    show(report, options.json === true);
    const file = fileOf(options);
    if (forked !== null && file !== undefined) await record(file, forked, report, options.only);
    if (report.failed > 0 || report.passed === 0) process.exitCode = 1;
  } finally {
    fork?.close();
  }
}

/** The suite in a process of its own, which this one's fork serves. */
async function runSuite(subject: Subject, only: string | undefined): Promise<Report> {
  const directory = await mkdtemp(join(tmpdir(), 'slipway-conformance-'));
  const file = join(directory, 'report.json');
  try {
    const args = [VITEST, 'run', '--config', join(import.meta.dirname, 'vitest.config.ts')];
    args.push('--reporter=verbose', '--reporter=json', `--outputFile.json=${file}`, ...(only ? ['-t', only] : []));
    const env = { ...process.env, ...subjectVariables(subject) };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.pipe(process.stderr, { end: false });
    await once(child, 'exit');
    return readReport(subject.kind, await readFile(file, 'utf8'));
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Asked of the cluster itself: its fork need not know whose it is. */
async function lookAt(url: string): Promise<Forked> {
  const { host } = new URL(url);
  try {
    return { cluster: host, genesisHash: await new Connection(url).getGenesisHash() };
  } catch (error) {
    const why = errorTextWithCauses(error);
    throw new Error(
      `no RPC endpoint answers at ${host} (${why}): --fork takes the URL, with its key, of one that does; nothing was run`,
      { cause: error },
    );
  }
}

/** A part of the suite, or another adapter, says nothing of what a launch on mainnet rests on: it is left where it is asked for alone. */
function fileOf({ exchange, only, report }: Options): string | undefined {
  if (report === false) return undefined;
  const isWhole = exchange === 'raydium' && only === undefined;
  return isWhole || report !== CONFORMANCE_REPORT ? report : undefined;
}

async function record(file: string, forked: Forked, report: Report, only: string | undefined): Promise<void> {
  const run = { on: new Date().toISOString(), ...forked, only: only ?? null, ...report };
  await writeFile(file, `${JSON.stringify(run, null, 2)}\n`);
  say(`written: ${file}${file === CONFORMANCE_REPORT ? '; commit it' : ''}`);
}

function show(report: Report, json: boolean): void {
  if (json) return console.log(JSON.stringify(report));
  const failed = report.tests.filter(({ status }) => status === 'failed');
  for (const { name, problem } of failed) console.log(`failed: ${name}: ${problem}`);
  const { exchange, passed, skipped } = report;
  console.log(`${exchange}: ${passed} passed, ${report.failed} failed, ${skipped} skipped`);
}

const program = campaignCommand({
  name: 'conformance',
  description:
    'Run the whole exchange contract (launch, swaps, locks, harvests, pools with fees in the quote token alone) on a fork of\n' +
    'mainnet, where the programs are the deployed ones.',
  more: MORE,
})
  .option('--fork <url>', 'RPC endpoint of the cluster to fork', httpUrl)
  .option('--rpc <url>', 'RPC endpoint of a chain with a faucet, in place of a fork', httpUrl)
  .addOption(new Option('--exchange <name>', 'adapter to check').choices(['raydium', 'local']).default('raydium'))
  .option('--only <pattern>', 'only tests whose name matches')
  .option('--json', 'print the report as JSON')
  .addOption(
    new Option('--report <file>', 'where a run on a fork leaves its report').default(
      CONFORMANCE_REPORT,
      'deploy/conformance.json, of the whole suite',
    ),
  )
  .option('--no-report', 'leave no report')
  .action(conformance);

await runCampaign('conformance', program);
// A fork's native threads have no end of their own.
process.exit();
