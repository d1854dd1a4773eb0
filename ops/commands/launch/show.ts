import type { Command } from 'commander';
import { findTemporal } from '../../service-addresses.ts';
import { withDatabase } from '../../database.ts';
import { findLaunch, LAUNCH_ID_HELP } from './find-launch.ts';
import type { OpsIo } from '../../io.ts';
import { readLaunchReport } from './report.ts';
import { launchReportText } from './report-text.ts';
import { jsonOption, type OutputOptions } from '../../options.ts';
import { print } from '../../output.ts';

const EXAMPLES = `
It reads the database only, so it works while the chain and Temporal are away.

Examples:
  npm run ops -- launches show 3f0c1c1e-7d1e-4a53-9a0c-7f6e3a1f0b11
  npm run ops -- launches show 5hHq…  --json`;

export function launchesShowCommand(launches: Command, io: OpsIo): void {
  launches
    .command('show')
    .description('show one launch: states, transactions, payment, audit, choices')
    .argument('<id>', LAUNCH_ID_HELP)
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((id: string, options: OutputOptions) => show(io, id, options));
}

function show(io: OpsIo, id: string, options: OutputOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const report = await readLaunchReport(db, await findLaunch(db, id), findTemporal(io));
    print(io, options, report, launchReportText(report));
  });
}
