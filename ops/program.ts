import { Command } from 'commander';
import { alertCommand } from './commands/platform/alert.ts';
import { addressesCommand } from './commands/launch/addresses.ts';
import { airdropsCommand } from './commands/airdrop/airdrops.ts';
import { booksCommand } from './commands/money/books.ts';
import { buybacksCommand } from './commands/buyback/buybacks.ts';
import { inventoryCommand } from './commands/restock/inventory.ts';
import { claimsCommand } from './commands/claim/claims.ts';
import { eventsCommand } from './commands/events/events.ts';
import { webhooksCommand } from './commands/events/webhooks.ts';
import { doctorCommand } from './commands/platform/doctor/doctor.ts';
import { feeSweepsCommand } from './commands/fee-sweep/fee-sweeps.ts';
import { lanesCommand } from './commands/money/lanes.ts';
import { launchesCommand } from './commands/launch/launches.ts';
import { lookupTableCommand } from './commands/launch/lookup-table.ts';
import { marketCommand } from './commands/market/market.ts';
import { pairsCommand } from './commands/platform/pairs.ts';
import { rewardsCommand } from './commands/reward/rewards.ts';
import { statusCommand } from './commands/platform/status/status.ts';
import { switchesCommand } from './commands/platform/switches.ts';
import { tokensCommand } from './commands/platform/tokens.ts';
import { walletsCommand } from './commands/platform/wallets.ts';
import { shownLines } from '../domain/terminal-text.ts';
import { withExamples } from './examples.ts';
import { checkVariables } from './check-variables.ts';
import type { OpsIo } from './io.ts';

const EXIT_HELP = `
The platform is the one of the variables DATABASE_URL, SOLANA_RPC_URL, TEMPORAL_ADDRESS and so on. Where none of them is set,
it is the running local stack; addresses of two platforms are never mixed.
Exit status: 0 done, 1 not done (the reason is on stderr), 2 wrong usage.`;

export function createProgram(io: OpsIo): Command {
  const program = new Command('ops')
    .description('operate the platform')
    .showHelpAfterError('(--help shows how)')
    .configureOutput({ writeOut: io.write, outputError: (text, write) => write(shownLines(text)) })
    .exitOverride()
    .addHelpText('after', EXIT_HELP)
    .hook('preAction', (_, command) => {
      // The doctor has a finding for each malformed variable.
      if (command.name() !== 'doctor') checkVariables(io.env);
    });
  statusCommand(program, io);
  alertCommand(program, io);
  doctorCommand(program, io);
  launchesCommand(program, io);
  claimsCommand(program, io);
  feeSweepsCommand(program, io);
  airdropsCommand(program, io);
  buybacksCommand(program, io);
  tokensCommand(program, io);
  switchesCommand(program, io);
  pairsCommand(program, io);
  marketCommand(program, io);
  rewardsCommand(program, io);
  inventoryCommand(program, io);
  walletsCommand(program, io);
  addressesCommand(program, io);
  eventsCommand(program, io);
  webhooksCommand(program, io);
  lookupTableCommand(program, io);
  lanesCommand(program, io);
  booksCommand(program, io);
  return withExamples(program);
}
