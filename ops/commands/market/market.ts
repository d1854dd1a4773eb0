import type { Command } from 'commander';
import type { OpsIo } from '../../io.ts';
import { marketCheckCommand } from './check.ts';

/** `market check`: what is stored of the tokens' markets. */
export function marketCommand(program: Command, io: OpsIo): void {
  const command = program.command('market').description('check the stored swaps against the chain');
  marketCheckCommand(command, io);
}
