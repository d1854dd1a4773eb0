import { ApplicationFailure, condition, proxyActivities, setHandler } from '@temporalio/workflow';
import type { ClaimActivities } from '../activities/claim/activities.ts';
import { isClaimSettled } from '../domain/claim/state.ts';
import { ClaimBoard } from './claim-board.ts';
import { type ClaimInput, claimOutcomeUpdate, claimStateQuery, type ClaimVerdict } from './messages/claim.ts';

/** Steps that answer within seconds, while a creator waits: one lost with its worker is done again after 15 seconds. */
const steps = proxyActivities<ClaimActivities>({
  startToCloseTimeout: '15 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Steps that follow the chain; they report as they go, so that a lost worker is noticed within 10 seconds. */
const watches = proxyActivities<ClaimActivities>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * One claim of fees, from the issued transaction to a payment that no fork can take back, or to the certainty that there
 * is none. Its timer expires an intent that nobody submits. Everything it knows lies in the database and on the chain: a
 * run that starts over finds there what an earlier one did, and goes on from that state.
 */
export async function claim({ intentId }: ClaimInput): Promise<ClaimVerdict> {
  const board = new ClaimBoard(intentId);
  let isSubmitted = false;
  setHandler(claimStateQuery, () => board.state);
  setHandler(claimOutcomeUpdate, async () => {
    isSubmitted = true;
    await condition(() => board.verdict !== undefined);
    return board.verdict!;
  });

  board.show(await steps.openClaim(intentId));
  while (!isClaimSettled(board.state)) {
    if (board.state === 'issued') {
      await condition(() => isSubmitted, Math.max(1, board.msLeft));
      isSubmitted = false;
      board.show(await steps.openClaim(intentId));
    } else {
      await advance(board);
    }
  }
  return board.verdict!;
}

/** One step on, from whatever state the claim is in. */
async function advance(board: ClaimBoard): Promise<void> {
  const { intentId, state } = board;
  switch (state) {
    case 'submitted':
      return board.show(await steps.signClaim(intentId));
    case 'relaying':
      return board.show(await watches.relayClaim(intentId));
    case 'killing':
      return board.show(await watches.killClaim(intentId));
    case 'relayed':
      return board.show(await watches.finalizeClaim(intentId));
    default:
      throw ApplicationFailure.nonRetryable(`claim ${intentId} cannot go on from ${state}`);
  }
}
