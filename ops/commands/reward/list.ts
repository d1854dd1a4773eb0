import type { Command } from 'commander';
import * as rewardRounds from '../../../db/reward/reward-rounds.ts';
import { withDatabase } from '../../database.ts';
import type { OpsIo } from '../../io.ts';
import { jsonOption, type OutputOptions, parsePositive } from '../../options.ts';
import { print } from '../../output.ts';
import { rewardRow } from './report.ts';

interface ListOptions extends OutputOptions {
  readonly open?: boolean;
  readonly mint?: string;
  readonly limit: number;
}

const EXAMPLES = `
Examples:
  npm run ops -- rewards list --open
  npm run ops -- rewards list --mint 7Gyq…mint… --json`;

export function rewardsListCommand(rewards: Command, io: OpsIo): void {
  rewards
    .command('list')
    .description('show reward rounds, last planned first')
    .option('--open', 'only rounds that have not ended, oldest first')
    .option('--mint <mint>', 'only rounds of this token')
    .option('--limit <number>', 'show at most so many', parsePositive, 50)
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((options: ListOptions) => list(io, options));
}

function list(io: OpsIo, { open, mint, limit, ...options }: ListOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const all = open ? await rewardRounds.open(db) : await rewardRounds.newest(db, limit, mint);
    const rounds = all.filter((round) => mint === undefined || round.mint === mint).slice(0, limit);
    print(io, options, { rounds }, rounds.map(rewardRow));
  });
}
