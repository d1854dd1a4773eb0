import type { Command } from 'commander';
import type { OpsIo } from '../../io.ts';
import { launchesAdoptCommand } from './adopt.ts';
import { launchesListCommand } from './list.ts';
import { launchesResolveCommand } from './resolve.ts';
import { launchesShowCommand } from './show.ts';
import { launchesStuckCommand } from './stuck.ts';

export function launchesCommand(program: Command, io: OpsIo): void {
  const command = program
    .command('launches')
    .description('find launches that need an operator, show one, decide about it');
  launchesStuckCommand(command, io);
  launchesShowCommand(command, io);
  launchesResolveCommand(command, io);
  launchesListCommand(command, io);
  launchesAdoptCommand(command, io);
}
