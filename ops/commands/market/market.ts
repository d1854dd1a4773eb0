import type { Command } from 'commander';
import type { OpsIo } from '../../io.ts';
import { marketCheckCommand } from './check.ts';
import { marketArchiveCommand, marketMonthsCommand } from './months.ts';

export function marketCommand(program: Command, io: OpsIo): void {
  const command = program
    .command('market')
    .description('check the stored swaps against the chain, and archive them by months');
  marketCheckCommand(command, io);
  marketMonthsCommand(command, io);
  marketArchiveCommand(command, io);
}
