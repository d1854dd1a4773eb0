import type { Command } from 'commander';
import * as launches from '../../../db/launch/launches.ts';
import type { LaunchRecord } from '../../../db/launch/launch-records.ts';
import { findTemporal } from '../../service-addresses.ts';
import { withDatabase } from '../../database.ts';
import type { OpsIo } from '../../io.ts';
import { adviceFor } from './advice.ts';
import { launchSummary } from './summary.ts';
import { parkedUrlOf } from '../../workflow-link.ts';
import { jsonOption, type OutputOptions, parsePositive } from '../../options.ts';
import { duration, facts, print } from '../../output.ts';

interface StuckOptions extends OutputOptions {
  readonly quietMinutes: number;
  readonly limit: number;
}

const EXAMPLES = `
A healthy launch takes seconds, and about 20 more until it is finalized.

Examples:
  npm run ops -- launches stuck
  npm run ops -- launches stuck --quiet-minutes 1
  npm run ops -- launches stuck --json | jq '.launches | length'`;

export function launchesStuckCommand(launches: Command, io: OpsIo): void {
  launches
    .command('stuck')
    .description('show launches that wait for an operator, and open ones that take too long')
    .option('--quiet-minutes <number>', 'an open launch is stuck so long after its submission', parsePositive, 2)
    .option('--limit <number>', 'show at most so many', parsePositive, 100)
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((options: StuckOptions) => stuck(io, options));
}

function stuck(io: OpsIo, { quietMinutes, limit, ...options }: StuckOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const now = new Date();
    const quietSince = new Date(now.getTime() - quietMinutes * 60_000);
    const found = await launches.stuck(db, quietSince, limit);
    const parkedUrl = parkedUrlOf(findTemporal(io));
    const text = found.map((launch) => toText(launch, now)).join('\n\n');
    const value = { quietMinutes, parkedUrl, launches: found.map((launch) => toJson(launch, now)) };
    print(
      io,
      options,
      value,
      text === ''
        ? `no launch is stuck (open for ${quietMinutes} min, or needs_recovery)`
        : [text, ...(parkedUrl ? [`parked launches in the Temporal UI: ${parkedUrl}`] : [])].join('\n\n'),
    );
  });
}

function toJson(launch: LaunchRecord, now: Date) {
  const seconds = (since: Date) => Math.floor((now.getTime() - since.getTime()) / 1000);
  return {
    ...launchSummary(launch),
    ageSeconds: seconds(launch.submittedAt),
    quietSeconds: seconds(launch.updatedAt),
    todo: adviceFor(launch.state, launch.quoteId),
  };
}

function toText(launch: LaunchRecord, now: Date): string {
  const ago = (since: Date) => duration(now.getTime() - since.getTime());
  const { quoteId, state, symbol, mode, blockedReason, mint, creator, paymentSignature } = launchSummary(launch);
  const headline = `${quoteId}  ${state}, untouched for ${ago(launch.updatedAt)}, submitted ${ago(launch.submittedAt)} ago`;
  const rows = {
    blocked: blockedReason,
    token: `${symbol} (${mode})`,
    mint,
    creator,
    payment: paymentSignature,
    'to do': adviceFor(state, quoteId),
  };
  return `${headline}\n${facts(rows, '  ')}`;
}
