import type { Command } from 'commander';
import * as auditLog from '../../../db/platform/audit-log.ts';
import type { Db } from '../../../db/connect.ts';
import * as launches from '../../../db/launch/launches.ts';
import { restartAirdrop } from '../../../workflows/airdrop/messages.ts';
import { withDatabase } from '../../database.ts';
import { findAirdrop } from './find-airdrop.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import { actorOption, type DecisionOptions, decisionOf, jsonOption, noteOption } from '../../options.ts';
import { print } from '../../output.ts';
import { withTemporal } from '../../temporal.ts';

const HELP = `
A delivery is tried again by itself, with pauses of up to five minutes; this ends the pause. What was delivered is not delivered
again, whatever runs meanwhile.

Example:
  npm run ops -- airdrops retry 7xKX…mint… --note "sent 0.1 SOL to the launch wallet"`;

export function airdropsRetryCommand(airdrops: Command, io: OpsIo): void {
  airdrops
    .command('retry')
    .description('try a delivery again at once')
    .argument('<id>', 'quote id of the launch, or mint of its token')
    .addOption(actorOption())
    .addOption(noteOption())
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((id: string, options: DecisionOptions) => withDatabase(io, (db) => retry(db, io, id, options)));
}

async function retry(db: Db, io: OpsIo, id: string, options: DecisionOptions): Promise<void> {
  const { quoteId, mint, deliveredAt } = await findAirdrop(db, id);
  const state = (await launches.byQuoteId(db, quoteId))?.state;
  if (deliveredAt) throw new OpsError(`the airdrop of ${mint} was delivered at ${deliveredAt.toISOString()}`);
  if (state !== 'finalized')
    throw new OpsError(`launch ${quoteId} is ${state}; airdrops are delivered once it is final`);
  const { actor, note } = decisionOf(io, options);
  await auditLog.append(db, { actor, action: 'airdrop.retry', subject: `airdrop/${quoteId}`, note, details: {} });
  const workflowId = await withTemporal(io, (client) => restartAirdrop(client, quoteId));
  print(io, options, { quoteId, mint, workflowId }, `the airdrop of ${mint} is being delivered by ${workflowId}`);
}
