import type { Client } from '@temporalio/client';
import type { Command } from 'commander';
import * as auditLog from '../../../db/platform/audit-log.ts';
import type { RewardRound } from '../../../db/reward/reward-rounds.ts';
import { REWARD_ROUND_WORKFLOW, rewardRoundWorkflowId } from '../../../workflows/messages/rewards.ts';
import { ROUNDS_TASK_QUEUE } from '../../../workflows/messages/task-queues.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import { actorOption, type DecisionOptions, decisionOf, jsonOption, noteOption } from '../../options.ts';
import { print } from '../../output.ts';
import { findRewardRound } from './report.ts';
import { withTemporal } from '../../temporal.ts';

const HELP = `
Starts the round's workflow where none runs. Every step finds out first what was done already, so this pays nobody twice; the
hourly run does the same by itself.

Examples:
  npm run ops -- rewards retry 3f0c1c1e-7d1e-4a53-9a0c-7f6e3a1f0b11 --note "prices are back"`;

/** `rewards retry ID`: has a round that stands still gone on with now. */
export function rewardsRetryCommand(rewards: Command, io: OpsIo): void {
  rewards
    .command('retry')
    .description('have an open reward round gone on with now')
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
    const workflowId = await withTemporal(io, (client) => start(client, round));
    print(io, options, { roundId: round.id, workflowId }, `reward round ${round.id} is gone on with by ${workflowId}`);
  });
}

async function start(client: Client, { id }: RewardRound): Promise<string> {
  const { workflowId } = await client.workflow.start(REWARD_ROUND_WORKFLOW, {
    workflowId: rewardRoundWorkflowId(id),
    taskQueue: ROUNDS_TASK_QUEUE,
    args: [id],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  return workflowId;
}
