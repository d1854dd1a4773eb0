import type { Command } from 'commander';
import * as auditLog from '../../../db/platform/audit-log.ts';
import { startRewardRound } from '../../../workflows/reward/messages.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import { actorOption, type DecisionOptions, decisionOf, jsonOption, noteOption } from '../../options.ts';
import { print } from '../../output.ts';
import { findRewardRound } from './report.ts';
import { withTemporal } from '../../temporal.ts';

const HELP = `
Starts the round's workflow where none runs. Every step finds out first what was done already, so this pays no holder twice; the
hourly run does the same by itself.

Examples:
  npm run ops -- rewards retry 3f0c1c1e-7d1e-4a53-9a0c-7f6e3a1f0b11 --note "prices are back"`;

export function rewardsRetryCommand(rewards: Command, io: OpsIo): void {
  rewards
    .command('retry')
    .description('continue an open reward round now')
    .argument('<id>', 'round id, or mint for the newest round of a token')
    .addOption(actorOption())
    .addOption(noteOption())
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((id: string, options: DecisionOptions) => retry(io, id, options));
}

function retry(io: OpsIo, id: string, options: DecisionOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const round = await findRewardRound(db, id);
    if (round.state === 'done') throw new OpsError(`reward round ${round.id} has ended`);
    const { actor, note } = decisionOf(io, options);
    await auditLog.append(db, { actor, action: 'reward.retry', subject: `reward/${round.id}`, note });
    const workflowId = await withTemporal(io, (client) => startRewardRound(client, round.id));
    print(io, options, { roundId: round.id, workflowId }, `reward round ${round.id} is gone on with by ${workflowId}`);
  });
}
