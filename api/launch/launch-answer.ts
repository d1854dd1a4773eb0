import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import type { AppError } from '../../domain/errors.ts';
import { type OnChain, publicStatusOf } from '../../domain/launch/public-status.ts';
import { type LaunchPhase, phaseOf } from '../../domain/launch/state.ts';
import { ExtendedAppError, notCharged } from '../errors.ts';
import type { LaunchOutcome } from './launch.schema.ts';

/**
 * Answers that the outcome is unknown: the client polls, and repeats the submission on 404. That is safe; paying again
 * is not.
 */
export function unknownAnswer(paymentSignature: string): LaunchOutcome {
  return { status: 'processing', onChain: 'unknown', paymentSignature };
}

/** Message for a late quote whose exact reason is gone. */
export const CAME_TOO_LATE = 'the quote was submitted too late';

export function cameTooLate(problem: string, paymentSignature: string): AppError {
  return notCharged(`${problem}; nothing was charged, prepare the launch again`, paymentSignature);
}

const OPERATOR: Readonly<Record<LaunchPhase, { readonly awaitsOperator?: true }>> = {
  underWay: {},
  parked: { awaitsOperator: true },
  live: {},
  uncharged: {},
};

/**
 * Describes a launch without the pool. Throws 503 with `charged: false` for one that did not land or was refunded,
 * because programs take any success for a launch; 409 `conflict` while an operator has to decide about a payment that
 * landed.
 */
export function launchAnswer(launch: LaunchRecord, onChain: OnChain): LaunchOutcome {
  const paymentSignature = signatureOf(launch);
  const status = publicStatusOf(launch.state, onChain);
  switch (status) {
    case 'completed':
      return { status, paymentSignature, mint: launch.mint };
    case 'processing':
      return { status, onChain, paymentSignature, ...OPERATOR[phaseOf(launch.state)] };
    case 'service_unavailable':
      throw notCharged(endOf(launch), paymentSignature, { refundSignature: launch.refundSignature });
    case 'conflict':
      throw needsRecovery(launch);
  }
}

function signatureOf(launch: LaunchRecord): string {
  return launch.paymentSignature ?? launch.submittedSignature;
}

function endOf({ refundSignature, reason }: LaunchRecord): string {
  if (refundSignature !== null)
    return 'the payment and its network fee were given back; prepare the launch again if you like';
  return `${reason ?? 'the bundle did not land'}; nothing was charged, prepare the launch again`;
}

function needsRecovery(launch: LaunchRecord): AppError {
  return conflict(
    'the payment landed and the launch needs manual recovery; do not retry and do not pay again',
    signatureOf(launch),
  );
}

/** The chain has the payment, and a restored database lacks its launch. */
export function forgottenLaunch(paymentSignature: string): AppError {
  return conflict(
    'the payment landed, and an operator has yet to take the launch into the restored database; submit the same body again, and do not pay again',
    paymentSignature,
  );
}

function conflict(message: string, paymentSignature: string): AppError {
  return new ExtendedAppError('conflict', message, { paymentSignature }, { retryable: false });
}
