import type { Command } from 'commander';
import type { OpsIo } from '../../io.ts';
import { rewardsListCommand } from './list.ts';
import { rewardsRestorePlanCommand } from './restore-plan.ts';
import { rewardsRetryCommand } from './retry.ts';
import { rewardsShowCommand } from './show.ts';

export function rewardsCommand(program: Command, io: OpsIo): void {
  const command = program.command('rewards').description('find reward rounds, look at one, have one gone on with');
  rewardsListCommand(command, io);
  rewardsShowCommand(command, io);
  rewardsRetryCommand(command, io);
  rewardsRestorePlanCommand(command, io);
}
