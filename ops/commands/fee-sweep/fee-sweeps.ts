import type { Command } from 'commander';
import type { OpsIo } from '../../io.ts';
import { feeSweepsListCommand } from './list.ts';
import { feeSweepsRetryCommand } from './retry.ts';

export function feeSweepsCommand(program: Command, io: OpsIo): void {
  const command = program
    .command('fee-sweeps')
    .description('find open sweeps of the platform’s fees and try them again');
  feeSweepsListCommand(command, io);
  feeSweepsRetryCommand(command, io);
}
