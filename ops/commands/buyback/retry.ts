import type { Command } from 'commander';
import * as auditLog from '../../../db/platform/audit-log.ts';
import { BUYBACK_ROUND } from '../../../workflows/buyback/messages.ts';
import { withDatabase } from '../../database.ts';
import type { OpsIo } from '../../io.ts';
import { actorOption, type DecisionOptions, decisionOf, jsonOption, noteOption } from '../../options.ts';
import { print } from '../../output.ts';
import { withTemporal } from '../../temporal.ts';
import { triggerRound } from '../../trigger-round.ts';

const HELP = `
Starts a round at once. It goes on with every purchase that has no end, plans what the budgets allow, and sends nothing a second
time. Where a round works already, nothing is started.

Examples:
  npm run ops -- buybacks retry --note "funded the platform wallet"`;

export function buybacksRetryCommand(buybacks: Command, io: OpsIo): void {
  buybacks
    .command('retry')
    .description('start a round of purchases at once')
    .addOption(actorOption())
    .addOption(noteOption())
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((options: DecisionOptions) => retry(io, options));
}

function retry(io: OpsIo, options: DecisionOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const { actor, note } = decisionOf(io, options);
    await withTemporal(io, (client) => triggerRound(client, BUYBACK_ROUND));
    await auditLog.append(db, { actor, action: 'buyback.retry', subject: 'buybacks', note });
    print(io, options, { schedule: BUYBACK_ROUND.scheduleId }, 'a round of purchases was asked for');
  });
}
