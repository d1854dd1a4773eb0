import type { Command } from 'commander';
import { OpsError, type OpsIo } from '../../../io.ts';
import { jsonOption, type OutputOptions } from '../../../options.ts';
import { print, table } from '../../../output.ts';
import { leastSolOption } from './least-sol.ts';
import type { Findings } from './line.ts';
import { look } from './look.ts';

interface StatusOptions extends OutputOptions {
  readonly leastSol: bigint;
}

const HELP = `
Each line is an alarm of docs/runbook.md with its present figure; "ops alert NAME" explains it. The most urgent comes first, and
each line ends with the command to go on with. Asked are the database, each RPC endpoint, Temporal, the block engine, the disks
and certificates of this machine, each process, and the figures that alerts are made of. Checks that need a variable that is not
set are listed as not checked.

SOLANA_RPC_URL, BLOCK_ENGINE_URL and TREASURY_ADDRESS name what is asked beside the database and Temporal; where they are not
set, the running local stack's. API_URLS, WORKER_URLS and API_METRICS_URLS name each process by its own address, not the proxy's
(http://api-1:8080,http://api-2:8080; WORKER_URLS: the port of WORKER_PORT; API_METRICS_URLS: that of API_METRICS_PORT).
PROMETHEUS_URL is asked for alerts that fire, and whether it watches at all. BACKUP_STAMP_FILE names a file that the backup job
touches; with ENVIRONMENT=production it must be set.
Exit status: 0 all is well, 1 something needs a person.

Examples:
  npm run ops -- status
  API_URLS=http://10.0.0.5:8080,http://10.0.0.6:8080 npm run ops -- status
  npm run ops -- status --least-sol 2 --json | jq -r '.lines[].remedy'`;

export function statusCommand(program: Command, io: OpsIo): void {
  program
    .command('status')
    .description('what needs an operator, in order, each with its command')
    .addOption(leastSolOption())
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((options: StatusOptions) => status(io, options));
}

async function status(io: OpsIo, { leastSol, ...options }: StatusOptions): Promise<void> {
  const findings = await look(io, { now: new Date(), leastLamports: leastSol });
  print(io, options, { ok: findings.lines.length === 0, ...findings }, textOf(findings));
  const { length } = findings.lines;
  if (length > 0) throw new OpsError(`${length} ${length === 1 ? 'thing needs' : 'things need'} a person`);
}

function textOf({ lines, notAsked }: Findings): string {
  const rows = lines.map(({ is, subject, what, alert, remedy }) => ({
    is,
    what: `${subject}: ${what}`,
    alert,
    'go on with': remedy,
  }));
  const well = notAsked.length === 0 ? 'all is well' : 'all that was checked is well';
  const shown = rows.length === 0 ? well : table(rows);
  return [shown, ...notAsked.map((what) => `not checked: ${what}`)].join('\n');
}
