import type { Command } from 'commander';
import type { OpsIo } from '../io.ts';
import { airdropsRestoreCommand } from './airdrops-restore.ts';
import { airdropsRetryCommand } from './airdrops-retry.ts';
import { airdropsShowCommand } from './airdrops-show.ts';
import { airdropsStuckCommand } from './airdrops-stuck.ts';

/** `airdrops stuck|show|retry|restore-recipients`: find airdrops that are not delivered, look at one, try it again. */
export function airdropsCommand(program: Command, io: OpsIo): void {
  const command = program
    .command('airdrops')
    .description('find airdrops that are not delivered, look at one, try it again');
  airdropsStuckCommand(command, io);
  airdropsShowCommand(command, io);
  airdropsRetryCommand(command, io);
  airdropsRestoreCommand(command, io);
}
