import type { Command } from 'commander';
import type { OpsIo } from '../../io.ts';
import { launchesListCommand } from './list.ts';
import { launchesResolveCommand } from './resolve.ts';
import { launchesShowCommand } from './show.ts';
import { launchesStuckCommand } from './stuck.ts';

/** `launches stuck|show|resolve|list`: find launches that need somebody, look at one, decide about it. */
export function launchesCommand(program: Command, io: OpsIo): void {
  const command = program
    .command('launches')
    .description('find launches that need somebody, look at one, decide about it');
  launchesStuckCommand(command, io);
  launchesShowCommand(command, io);
  launchesResolveCommand(command, io);
  launchesListCommand(command, io);
}
