import { condition, proxyActivities, setHandler } from '@temporalio/workflow';
import type { ClaimNonceActivities } from '../../activities/claim/nonce.ts';
import { type ClaimNonceInput, nonceReadyUpdate } from './messages.ts';

const { makeClaimNonce, awaitClaimNonce } = proxyActivities<ClaimNonceActivities>({
  startToCloseTimeout: '1 hour',
  // Whoever prepares next starts it anew: what cannot be made must not keep the slots that launches need.
  scheduleToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '1 minute',
    nonRetryableErrorTypes: ['FundsError'],
  },
});

/**
 * Makes the durable nonce of a launch. Whoever prepares the first claim waits only until it is confirmed; its finality is
 * followed to the end all the same. Answers its address. Fails at once where the platform wallet cannot pay for it.
 */
export async function claimNonce({ mint }: ClaimNonceInput): Promise<string> {
  let ready: string | undefined;
  setHandler(nonceReadyUpdate, async () => {
    await condition(() => ready !== undefined);
    return ready!;
  });
  const awaited = awaitClaimNonce(mint).then((account) => (ready = account));
  await Promise.all([makeClaimNonce(mint), awaited]);
  return ready!;
}
