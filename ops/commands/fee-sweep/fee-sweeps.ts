import type { Command } from 'commander';
import type { OpsIo } from '../../io.ts';
import { feesListCommand } from './list.ts';
import { feesRetryCommand } from './retry.ts';

/** `fees list|retry`: find sweeps of the platform's fees that have no end yet, and have them tried again. */
export function feesCommand(program: Command, io: OpsIo): void {
  const command = program.command('fees').description('find open sweeps of the platform’s fees and try them again');
  feesListCommand(command, io);
  feesRetryCommand(command, io);
}
