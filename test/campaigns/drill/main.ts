import { InvalidArgumentError } from 'commander';
import { campaignCommand, runCampaign } from '../command.ts';
import { play } from '../play.ts';
import { BETWEEN } from './between.ts';
import { readDrillReport, textOf } from './report.ts';
import { DEFAULT_KILLED, PRIMARY } from './settings.ts';

interface Options {
  readonly clients: string;
  readonly hold: string;
  readonly kill: string;
  readonly plant: string;
  readonly moveQueue?: boolean;
  readonly json?: boolean;
}

const MORE = `
Everything runs on this machine in processes of its own: PostgreSQL (with a synchronous standby, which follows "primary"), Temporal, a local chain, two APIs, two workers, and
where haproxy and pgbouncer are on PATH, the proxy and a bouncer; n+1 is a copy of this checkout with a changed workflow and a migration. Progress goes to stderr.
Exit status: 0 every promise was kept, 1 one was broken, 2 wrong usage.

Examples:
  npm run drill
  npm run drill -- --clients 6 --hold 60 --kill api,api-2,worker,worker-2 --json
  npm run drill -- --kill none --move-queue
  npm run drill -- --kill none --plant landed-is-not-charged`;

const PARTS = ['api', 'api-2', 'worker', 'worker-2', ...BETWEEN, PRIMARY];

function wholeNumber(text: string): string {
  if (/^[0-9]{1,4}$/.test(text)) return text;
  throw new InvalidArgumentError('it is not a whole number.');
}

function parts(text: string): string {
  const unknown = text.split(',').filter((part) => !PARTS.includes(part));
  if (text === 'none' || unknown.length === 0) return text;
  throw new InvalidArgumentError(`there is no ${unknown.join(', ')}; there are ${PARTS.join(', ')}, or none.`);
}

async function drill({ clients, hold, kill, plant, moveQueue = false, json = false }: Options): Promise<void> {
  const killed = kill === 'none' ? '' : kill;
  const variables = {
    DRILL_CLIENTS: clients,
    DRILL_HOLD_SECONDS: hold,
    DRILL_KILL: killed,
    DRILL_PLANT: plant,
    DRILL_MOVE_QUEUE: moveQueue ? '1' : '0',
  };
  const { status, report } = await play('test/campaigns/drill/drill.test.ts', variables);
  const found = readDrillReport(report);
  if (!found) throw new Error('the drill did not come to its end; stderr says where');
  console.log(json ? JSON.stringify(found, null, 2) : textOf(found));
  process.exitCode = status;
}

const program = campaignCommand({
  name: 'drill',
  description:
    'Rehearse a release and its way back under load: n, a migration, n+1, and n again, while clients launch and claim and rounds run.\n' +
    'Every launch is judged from the chain.',
  more: MORE,
})
  .option('--clients <number>', 'clients that launch one token after the other', wholeNumber, '2')
  .option('--hold <seconds>', 'how long each release is held', wholeNumber, '1')
  .option('--kill <parts>', 'what is ended by kill -9 first, one after the other', parts, DEFAULT_KILLED)
  .option('--plant <bug>', 'give n+1 a bug of test/campaigns/planted-bugs: the drill must end with 1', '')
  .option('--move-queue', 'n+1 has another task queue in the place of "watch": takes one away, and adds one')
  .option('--json', 'print the report as JSON')
  .action(drill);

await runCampaign('drill', program);
