import type { Command } from 'commander';
import type { OpsIo } from '../../io.ts';
import { airdropsRestoreCommand } from './restore.ts';
import { airdropsRetryCommand } from './retry.ts';
import { airdropsShowCommand } from './show.ts';
import { airdropsStuckCommand } from './stuck.ts';

export function airdropsCommand(program: Command, io: OpsIo): void {
  const command = program
    .command('airdrops')
    .description('find airdrops that are not delivered, look at one, try it again');
  airdropsStuckCommand(command, io);
  airdropsShowCommand(command, io);
  airdropsRetryCommand(command, io);
  airdropsRestoreCommand(command, io);
}
