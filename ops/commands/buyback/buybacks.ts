import type { Command } from 'commander';
import type { OpsIo } from '../../io.ts';
import { buybacksListCommand } from './list.ts';
import { buybacksRetryCommand } from './retry.ts';
import { buybacksShowCommand } from './show.ts';

export function buybacksCommand(program: Command, io: OpsIo): void {
  const command = program.command('buybacks').description('see what revenue buys and burns, and have it tried again');
  buybacksListCommand(command, io);
  buybacksShowCommand(command, io);
  buybacksRetryCommand(command, io);
}
