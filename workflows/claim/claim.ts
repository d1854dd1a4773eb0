import { ApplicationFailure, condition, proxyActivities, setHandler } from '@temporalio/workflow';
import type { ClaimActivities } from '../../activities/claim/activities.ts';
import { isClaimSettled } from '../../domain/claim/state.ts';
import { ClaimBoard } from './board.ts';
import { type ClaimInput, claimOutcomeUpdate, claimStateQuery, type ClaimVerdict } from './messages.ts';

/** Short steps while a creator waits: a step lost with its worker is retried after 15 seconds. */
const steps = proxyActivities<ClaimActivities>({
  startToCloseTimeout: '15 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Steps that follow the chain; heartbeats reveal a lost worker within 10 seconds. */
const watches = proxyActivities<ClaimActivities>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * Runs one claim of fees, from the issued transaction to a final payment or to the proof that there is none. Its timer
 * expires an unsubmitted intent. All state is in the database and on the chain, so that a new run continues from
 * there.
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
    await advance(board, async () => {
      await condition(() => isSubmitted, Math.max(1, board.msLeft));
      isSubmitted = false;
    });
  }
  return board.verdict!;
}

async function advance(board: ClaimBoard, submitted: () => Promise<void>): Promise<void> {
  const { intentId, state } = board;
  switch (state) {
    case 'issued':
      await submitted();
      return board.show(await steps.openClaim(intentId));
    case 'submitted':
      return board.show(await steps.signClaim(intentId));
    case 'relaying':
      return board.show(await watches.relayClaim(intentId));
    case 'killing':
      return board.show(await watches.killClaim(intentId));
    case 'relayed':
      return board.show(await watches.finalizeClaim(intentId));
    case 'finalized':
    case 'not_landed':
    case 'refused':
    case 'expired':
      throw ApplicationFailure.nonRetryable(`claim ${intentId} cannot go on from ${state}`);
  }
}
