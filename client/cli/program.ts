import { Command } from 'commander';
import type { Collection } from '../index.ts';
import { claimCommand } from './claim.ts';
import { eventsCommand } from './events.ts';
import { withExamples } from './examples.ts';
import { launchCommand } from './launch.ts';
import { rewardsCommand } from './rewards.ts';
import { endWithReader, say, shown } from './say.ts';
import { verifyCommand } from './verify.ts';
import { ownVersion } from './version.ts';
import { walletCommand } from './wallet.ts';
import { watchCommand } from './watch.ts';

export interface ProgramOptions {
  /** Default: Raydium's lock program, and nothing else. */
  readonly collection?: Collection;
}

export async function runProgram(options: ProgramOptions = {}): Promise<void> {
  endWithReader();
  try {
    await withExamples(createProgram(options)).parseAsync();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    say(`slipway: ${error.message}`);
    // `verify` has chosen another one: its 1 says that a difference was found.
    process.exitCode ??= 1;
  }
}

function createProgram({ collection }: ProgramOptions): Command {
  return new Command('slipway')
    .configureOutput({ outputError: (text, write) => write(text.split('\n').map(shown).join('\n')) })
    .version(ownVersion(), '-V, --version', 'print the version')
    .description(
      'Launch tokens and claim creator fees on a Slipway platform. Every payment is checked before it is signed.',
    )
    .addCommand(launchCommand())
    .addCommand(claimCommand(collection))
    .addCommand(watchCommand())
    .addCommand(rewardsCommand())
    .addCommand(walletCommand())
    .addCommand(eventsCommand())
    .addCommand(verifyCommand());
}
