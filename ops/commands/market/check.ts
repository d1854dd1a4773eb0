import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { Command } from 'commander';
import { listMarketMints } from '../../../db/market/market-mints.ts';
import { batchesOf } from '../../../domain/batches.ts';
import { errorText } from '../../../domain/error-text.ts';
import { checkMarket, type MarketCheckAnswer, type MarketCheckInput } from '../../../workflows/market/messages.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import { actorOption, type DecisionOptions, decisionOf, jsonOption, noteOption, parsePositive } from '../../options.ts';
import { print, type Row } from '../../output.ts';
import { withTemporal } from '../../temporal.ts';

interface CheckOptions extends DecisionOptions {
  readonly all?: boolean;
  readonly repair?: boolean;
  readonly acceptGap?: boolean;
  readonly wait: number;
}

type Report = MarketCheckAnswer['reports'][number];

const HELP = `
The worker counts every swap of the token on the chain again, from the balances of its vaults, and compares. With --repair
the stored swaps are replaced by the counted ones where they differ and where the index does not get on; who did it is
audited. --accept-gap does so although no endpoint has the whole history any more: what is missing there is lost for ever.

Ends with 1 when something differs and was not repaired.

Examples:
  npm run ops -- market check 7xKX…mint…
  npm run ops -- market check --all --json
  npm run ops -- market check 7xKX…mint… --repair --note "the provider lost blocks on the 3rd"`;

export function marketCheckCommand(market: Command, io: OpsIo): void {
  market
    .command('check')
    .description('compare a token’s swaps with the chain')
    .argument('[mint]', 'mint of the token')
    .option('--all', 'every token')
    .option('--repair', 'replace what differs')
    .option('--accept-gap', 'repair also where the chain’s history is not whole any more')
    .addOption(actorOption())
    .addOption(noteOption())
    .option('--wait <seconds>', 'longest wait for the worker, for 50 tokens', parsePositive, 600)
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((mint: string | undefined, options: CheckOptions, self: Command) => {
      if ((mint === undefined) === (options.all === undefined)) self.error('error: name a mint, or --all');
      return check(io, mint, options);
    });
}

/** Tokens per workflow, whose result must stay small. */
const TOKENS_AT_ONCE = 50;

async function check(io: OpsIo, mint: string | undefined, options: CheckOptions): Promise<void> {
  const mints = mint === undefined ? await withDatabase(io, listMarketMints) : [mint];
  const answer = await withTemporal(io, (client) => checkAll(client, mints, inputOf(io, options), options.wait));
  if (answer.unknown.length > 0) throw new OpsError(`there is no token ${answer.unknown.join(', ')}`);
  print(io, options, answer, answer.reports.map(toRow));
  const left = answer.reports.filter((report) => isOff(report) && !report.repaired);
  if (left.length > 0) throw new OpsError(`${left.length} of ${answer.reports.length} tokens differ from the chain`);
}

function inputOf(io: OpsIo, options: CheckOptions): Omit<MarketCheckInput, 'mints'> {
  return { repair: options.repair === true, acceptGap: options.acceptGap === true, ...decisionOf(io, options) };
}

async function checkAll(
  client: Client,
  mints: readonly string[],
  how: Omit<MarketCheckInput, 'mints'>,
  waitSeconds: number,
): Promise<MarketCheckAnswer> {
  const answers: MarketCheckAnswer[] = [];
  for (const batch of batchesOf(mints, TOKENS_AT_ONCE)) {
    answers.push(await runCheck(client, { ...how, mints: batch }, waitSeconds));
  }
  return { reports: answers.flatMap(({ reports }) => reports), unknown: answers.flatMap(({ unknown }) => unknown) };
}

async function runCheck(client: Client, input: MarketCheckInput, waitSeconds: number): Promise<MarketCheckAnswer> {
  try {
    return await checkMarket(client, randomUUID(), input, waitSeconds);
  } catch (error) {
    throw new OpsError(`the check did not end: ${errorText(error)}`, {
      cause: error,
    });
  }
}

function isOff({ missing, extra, different, gap }: Report): boolean {
  return missing.length + extra.length + different.length > 0 || gap !== null;
}

function toRow(report: Report): Row {
  return {
    mint: report.mint,
    swaps: report.counted,
    missing: report.missing.length,
    extra: report.extra.length,
    different: report.different.length,
    unread: report.unread.length,
    gap: report.gap ?? '',
    repaired: report.repaired,
  };
}
