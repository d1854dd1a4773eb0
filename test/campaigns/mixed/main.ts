import { InvalidArgumentError } from 'commander';
import { campaignCommand, runCampaign } from '../command.ts';
import { errorText } from '../../../domain/error-text.ts';
import { play } from '../play.ts';
import { askedFaults } from './faults/index.ts';
import { readMixedReport, textOf } from './report.ts';

interface Options {
  readonly minutes: string;
  readonly launches?: string;
  readonly creators: string;
  readonly readers: string;
  readonly seed: string;
  readonly faults: string;
  readonly json?: boolean;
}

const MORE = `
Everything runs on this machine in processes of its own, as npm start has it. Progress goes to stderr.
Exit status: 0 every promise was kept, 1 one was broken, 2 wrong usage.

Examples:
  npm run campaign -- --minutes 120 --seed 7
  npm run campaign -- --launches 1000 --minutes 120 --creators 40 --seed 8
  npm run campaign -- --minutes 5 --faults "an endpoint lags,pots are frozen" --json`;

function wholeNumber(text: string): string {
  if (/^[1-9][0-9]{0,5}$/.test(text)) return text;
  throw new InvalidArgumentError('it is not a whole number from 1 to 999999.');
}

function knownFaults(text: string): string {
  try {
    return askedFaults(text === 'none' ? '' : text).join(',');
  } catch (error) {
    throw new InvalidArgumentError(errorText(error));
  }
}

async function campaign({
  minutes,
  launches = '0',
  creators,
  readers,
  seed,
  faults,
  json = false,
}: Options): Promise<void> {
  const variables = {
    MIXED_SECONDS: String(Number(minutes) * 60),
    MIXED_LAUNCHES: launches,
    MIXED_CREATORS: creators,
    MIXED_READERS: readers,
    MIXED_SEED: seed,
    MIXED_FAULTS: faults,
  };
  const { status, report } = await play('test/campaigns/mixed/mixed.test.ts', variables);
  const played = readMixedReport(report);
  if (!played) throw new Error('the campaign did not come to its end; stderr says where');
  console.log(json ? JSON.stringify(played, null, 2) : textOf(played));
  process.exitCode = status;
}

const program = campaignCommand({
  name: 'campaign',
  description:
    'Launch, trade, claim, airdrop, reward, sweep and buy back all at once, while parts are killed, the chain misbehaves and strangers\n' +
    'are in the way; then compare every booked amount and every movement with the chain, to the unit.',
  more: MORE,
})
  .option('--minutes <number>', 'how long everybody plays, at most', wholeNumber, '10')
  .option('--launches <number>', 'end the play once so many launches were followed to their end', wholeNumber)
  .option('--creators <number>', 'creators who launch one token after the other, at the same time', wholeNumber, '12')
  .option('--readers <number>', 'readers of each tap of the event log, at most 200', wholeNumber, '2')
  .option(
    '--seed <number>',
    'where choices come from; what happens at the same time is not chosen; an even one has three endpoints',
    wholeNumber,
    '2',
  )
  .option('--faults <names>', 'faults that must strike, with commas between; `none` asks for none', knownFaults, 'all')
  .option('--json', 'print the report as JSON')
  .action(campaign);

await runCampaign('campaign', program);
