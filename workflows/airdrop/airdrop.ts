import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { AirdropActivities, AirdropFacts } from '../../activities/airdrop/activities.ts';
import type { AirdropInput } from './messages.ts';

const { openAirdrop } = proxyActivities<AirdropActivities>({
  startToCloseTimeout: '1 minute',
  retry: { maximumInterval: '1 minute' },
});

/**
 * Activity that is retried forever: each try delivers what it can, and records in the database what an operator must
 * do.
 */
const { deliverAirdrop } = proxyActivities<AirdropActivities>({
  startToCloseTimeout: '6 hours',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

/**
 * Delivers one airdrop. The plan is in the database, and the final transactions are known there and on the chain, so
 * that a new run continues where an earlier one stopped.
 */
export async function airdrop({ quoteId }: AirdropInput): Promise<AirdropFacts> {
  setCurrentDetails(describe(await openAirdrop(quoteId), quoteId));
  const delivered = await deliverAirdrop(quoteId);
  setCurrentDetails(describe(delivered, quoteId));
  return delivered;
}

function describe(facts: AirdropFacts, quoteId: string): string {
  const { symbol, mint, recipients, deliveredRecipients, batches, deliveredBatches, isDelivered } = facts;
  return [
    `**${symbol}** \`${mint}\``,
    `${deliveredRecipients} of ${recipients} wallets have their tokens (${deliveredBatches} of ${batches} transactions).`,
    isDelivered
      ? 'Everything is delivered.'
      : `\`npm run ops -- airdrops show ${quoteId}\` says what is missing, and why.`,
  ].join('\n\n');
}
