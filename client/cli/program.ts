import { Command } from 'commander';
import { claimCommand } from './claim.ts';
import { launchCommand } from './launch.ts';
import { rewardsCommand } from './rewards.ts';
import { watchCommand } from './watch.ts';

/** The command line: `slipway launch | claim | watch | rewards`. */
export function createProgram(): Command {
  return new Command('slipway')
    .description(
      'Launch tokens and claim creator fees on a Slipway platform. Every payment is checked before it is signed.',
    )
    .addCommand(launchCommand())
    .addCommand(claimCommand())
    .addCommand(watchCommand())
    .addCommand(rewardsCommand());
}
