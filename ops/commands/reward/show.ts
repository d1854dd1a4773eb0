import type { Command } from 'commander';
import { findTemporal } from '../../service-addresses.ts';
import { withDatabase } from '../../database.ts';
import type { OpsIo } from '../../io.ts';
import { jsonOption, type OutputOptions } from '../../options.ts';
import { print } from '../../output.ts';
import { findRewardRound, readRewardReport, rewardReportText } from './report.ts';

const EXAMPLES = `
It reads the database only, so it works while the chain and Temporal are away.

Examples:
  npm run ops -- rewards show 3f0c1c1e-7d1e-4a53-9a0c-7f6e3a1f0b11
  npm run ops -- rewards show 7Gyq…mint… --json`;

export function rewardsShowCommand(rewards: Command, io: OpsIo): void {
  rewards
    .command('show')
    .description('show one reward round')
    .argument('<id>', 'round id, or mint for the newest round of a token')
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((id: string, options: OutputOptions) =>
      withDatabase(io, async (db) => {
        const report = await readRewardReport(db, await findRewardRound(db, id), findTemporal(io));
        print(io, options, report, rewardReportText(report));
      }),
    );
}
