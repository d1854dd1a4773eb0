import type { Command } from 'commander';
import type { OpsIo } from '../../io.ts';
import { rewardsListCommand } from './list.ts';
import { rewardsRetryCommand } from './retry.ts';
import { rewardsShowCommand } from './show.ts';

/** `rewards list|show|retry`: find reward rounds, look at one, and have one that stands still gone on with. */
export function rewardsCommand(program: Command, io: OpsIo): void {
  const command = program.command('rewards').description('find reward rounds, look at one, have one gone on with');
  rewardsListCommand(command, io);
  rewardsShowCommand(command, io);
  rewardsRetryCommand(command, io);
}
