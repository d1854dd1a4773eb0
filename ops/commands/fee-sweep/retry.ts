import type { Command } from 'commander';
import * as feeSweeps from '../../../db/fee-sweep/fee-sweeps.ts';
import { FEE_SWEEP_ROUND } from '../../../workflows/fee-sweep/messages.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import { actorOption, type DecisionOptions, decisionOf, jsonOption, noteOption } from '../../options.ts';
import { print } from '../../output.ts';
import { withTemporal } from '../../temporal.ts';
import { triggerRound } from '../../trigger-round.ts';

const HELP = `
Makes open sweeps due at once and starts a round. What is under way on the chain is followed to its end, never sent a second
time. Where a round works already, it takes them.

Examples:
  npm run ops -- fee-sweeps retry
  npm run ops -- fee-sweeps retry 7xKX…mint… --note "funded the platform wallet"`;

export function feeSweepsRetryCommand(fees: Command, io: OpsIo): void {
  fees
    .command('retry')
    .description('try open sweeps of fees at once')
    .argument('[mint]', 'mint of the token; default: all')
    .addOption(actorOption())
    .addOption(noteOption())
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((mint: string | undefined, options: DecisionOptions) => retry(io, mint, options));
}

async function retry(io: OpsIo, mint: string | undefined, options: DecisionOptions): Promise<void> {
  const due = await withDatabase(io, (db) => feeSweeps.makeDue(db, mint, decisionOf(io, options)));
  if (due === 0) throw new OpsError(mint === undefined ? 'no sweep is open' : `no sweep of ${mint} is open`);
  await withTemporal(io, (client) => triggerRound(client, FEE_SWEEP_ROUND));
  print(io, options, { due }, `${due} open sweeps are due, and a round was asked for`);
}
