import type { Command } from 'commander';
import type { OpsIo } from '../../io.ts';
import { claimsListCommand } from './list.ts';
import { claimsShowCommand } from './show.ts';

/** Adds read-only commands: claims end by themselves. */
export function claimsCommand(program: Command, io: OpsIo): void {
  const command = program.command('claims').description('find claims of creator fees and look at one');
  claimsListCommand(command, io);
  claimsShowCommand(command, io);
}
