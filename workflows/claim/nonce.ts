import { condition, proxyActivities, setHandler } from '@temporalio/workflow';
import type { ClaimNonceActivities } from '../../activities/claim/nonce.ts';
import { type ClaimNonceInput, nonceReadyUpdate } from './messages.ts';

const { makeClaimNonce, awaitClaimNonce } = proxyActivities<ClaimNonceActivities>({
  startToCloseTimeout: '1 hour',
  // The next prepare starts it again; it must not keep launches' slots.
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
 * Makes the nonce account. The first prepare waits until it is confirmed; the workflow follows it until final. Returns
 * its address. Fails at once if the platform wallet cannot pay.
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
