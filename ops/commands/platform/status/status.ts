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
Unreachable is what does not answer a question of its own kind (a process that hangs takes connections all the same): a database, an RPC endpoint, Temporal, the block engine, an API or a worker; read-only a database that answers
and takes no writes; waiting are launches that need a decision and claims that
are being killed; late are certificates that end within two weeks, base backups older than 26 hours (BACKUP_STAMP_FILE names a file that the backup job
touches), differences between books and chain, airdrops with a problem, and rounds that have not begun for three
times their cadence; wrong are clocks; low are disks (STORE_DIR, temporary files) with less than a tenth free, free launch addresses, the SOL of the platform's wallets, and inventory under its mark.
What to do first comes first, and each line ends with the command to go on with. SOLANA_RPC_URL, BLOCK_ENGINE_URL and
TREASURY_ADDRESS name what is asked beside the database and Temporal; where they are not set, the running local stack's.
API_URLS and WORKER_URLS name each process by its own address, not the proxy's (http://api-1:8080,http://api-2:8080; a worker's is
that of WORKER_PORT); Temporal tells without them that no worker runs.
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
  const rows = lines.map(({ is, subject, what, remedy }) => ({
    is,
    what: `${subject}: ${what}`,
    'go on with': remedy,
  }));
  const shown = rows.length === 0 ? 'all is well' : table(rows);
  return [shown, ...notAsked.map((what) => `not asked: ${what} is not set`)].join('\n');
}
