import type { Command } from 'commander';
import * as tokens from '../../../db/tokens.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import { actorOption, type DecisionOptions, decisionOf, jsonOption, noteOption } from '../../options.ts';
import { print } from '../../output.ts';
import { tokensLinksCommand } from './tokens-links.ts';

const HIDE_HELP = `
Market list, search and the asset index leave a hidden token out; the launch ledger says that it is hidden. Reading it by its mint, its fees, claims and
launch status go on working.

Examples:
  npm run ops -- tokens hide 7xKX…mint… --note "impersonates another project"
  npm run ops -- tokens show 7xKX…mint… --note "cleared up"`;

export function tokensCommand(program: Command, io: OpsIo): void {
  const command = program.command('tokens').description('hide a token, show it again, correct its links');
  const commands = [
    { name: 'hide', hidden: true, description: 'take a token out of lists, search and the asset index' },
    { name: 'show', hidden: false, description: 'show a hidden token again' },
  ];
  for (const { name, hidden, description } of commands) {
    command
      .command(name)
      .description(description)
      .argument('<mint>', 'mint of the token')
      .addOption(actorOption())
      .addOption(noteOption())
      .addOption(jsonOption())
      .addHelpText('after', HIDE_HELP)
      .action((mint: string, options: DecisionOptions) => setHidden(io, mint, hidden, options));
  }
  tokensLinksCommand(command, io);
}

function setHidden(io: OpsIo, mint: string, hidden: boolean, options: DecisionOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const found = await tokens.setHidden(db, mint, hidden, decisionOf(io, options));
    if (!found) throw new OpsError(`there is no token with mint ${mint}`);
    print(io, options, { mint, hidden }, `${mint} is ${hidden ? 'hidden' : 'shown'}`);
  });
}
