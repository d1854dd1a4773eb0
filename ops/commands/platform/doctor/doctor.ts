import { type Command, Option } from 'commander';
import { OpsError, type OpsIo } from '../../../io.ts';
import { jsonOption, type OutputOptions } from '../../../options.ts';
import { print } from '../../../output.ts';
import { leastSolOption } from '../status/least-sol.ts';
import { PROCESSES, type Process } from './configuration.ts';
import { examine } from './examine.ts';
import type { Finding } from './finding.ts';
import { nextStep } from './next-step.ts';

interface DoctorOptions extends OutputOptions {
  readonly of?: Process;
  readonly leastSol: bigint;
}

const HELP = `
Run it where a process will run, with that process's environment, before anything is started: it reads the variables as the
process does and then asks everything they name. Database and schema, Temporal, each RPC endpoint (chain, lag, quorum), programs,
fee tiers and lookup table, keys, balances, lanes, block engine, storage, prices, clocks; on mainnet also whether the exchange was
ever tried on a fork of it. It signs nothing but a probe and sends nothing; the store gets one file of 32 bytes, always the same.
An environment with the variables of both processes is examined for both.
The last line says what to run next: the remedy of the problem that others wait for.
Exit status: 0 nothing keeps the process from working, 1 something does, with what to do in its line.

Examples:
  npm run ops -- doctor
  npm run ops -- doctor --of worker --json | jq '.findings[] | select(.is == "problem")'`;

export function doctorCommand(program: Command, io: OpsIo): void {
  program
    .command('doctor')
    .description('check a configuration against everything it names')
    .addOption(new Option('--of <process>', 'whose configuration it is (default: both)').choices(PROCESSES))
    .addOption(leastSolOption())
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((options: DoctorOptions) => doctor(io, options));
}

async function doctor(io: OpsIo, { of, leastSol, ...options }: DoctorOptions): Promise<void> {
  const processes = of === undefined ? PROCESSES : [of];
  const findings = await examine(io.env, { processes, leastLamports: leastSol, exchange: io.exchange });
  const problems = findings.filter(({ is }) => is === 'problem');
  const next = nextStep(findings);
  const lines = [...findings.map(lineOf), `next     ${next}`];
  print(io, options, { ok: problems.length === 0, next, findings }, lines.join('\n'));
  const { length } = problems;
  if (length > 0) throw new OpsError(`${length} ${length === 1 ? 'problem keeps' : 'problems keep'} this from working`);
}

function lineOf({ check, is, what, remedy }: Finding): string {
  const said = `${is.padEnd(7)}  ${check}: ${what.replaceAll('\n', ' ')}`;
  return remedy === null ? said : `${said}  →  ${remedy}`;
}
