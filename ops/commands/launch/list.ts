import { type Command, Option } from 'commander';
import * as launches from '../../../db/launch/launches.ts';
import type { LaunchRecord } from '../../../db/launch/launch-records.ts';
import { LAUNCH_STATES, type LaunchState } from '../../../domain/launch/state.ts';
import { withDatabase } from '../../database.ts';
import type { OpsIo } from '../../io.ts';
import { launchSummary } from './summary.ts';
import { jsonOption, type OutputOptions, parsePositive } from '../../options.ts';
import { print, type Row } from '../../output.ts';

interface ListOptions extends OutputOptions {
  readonly state?: readonly LaunchState[];
  readonly limit: number;
}

const EXAMPLES = `
Examples:
  npm run ops -- launches list
  npm run ops -- launches list --state landing resuming --limit 10
  npm run ops -- launches list --state needs_recovery --json`;

export function launchesListCommand(launches: Command, io: OpsIo): void {
  launches
    .command('list')
    .description('show launches, last submitted first')
    .addOption(new Option('--state <states...>', 'only launches in these states').choices(LAUNCH_STATES))
    .option('--limit <number>', 'show at most so many', parsePositive, 50)
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((options: ListOptions) => list(io, options));
}

function list(io: OpsIo, { state, limit, ...options }: ListOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const found = await launches.newest(db, state, limit);
    print(io, options, { launches: found.map(launchSummary) }, found.map(toRow));
  });
}

function toRow({ quoteId, state, symbol, mode, mint, submittedAt }: LaunchRecord): Row {
  return { state, symbol, mode, 'quote id': quoteId, mint, submitted: submittedAt };
}
