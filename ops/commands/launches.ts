import type { Command } from 'commander';
import type { OpsIo } from '../io.ts';
import { launchesListCommand } from './launches-list.ts';
import { launchesResolveCommand } from './launches-resolve.ts';
import { launchesShowCommand } from './launches-show.ts';
import { launchesStuckCommand } from './launches-stuck.ts';

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
