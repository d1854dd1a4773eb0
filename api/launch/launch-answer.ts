import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import type { AppError } from '../../domain/errors.ts';
import { publicStatusOf } from '../../domain/launch/state.ts';
import { ExtendedAppError, notCharged } from '../errors.ts';
import type { LaunchOutcome } from './launch.schema.ts';

/**
 * The answer of a submit that cannot learn what became of it. Unknown is `processing`: the client asks for the status, and
 * where that stays 404 it sends the same submission again, which is safe, instead of paying anew.
 */
export function unknownAnswer(paymentSignature: string): LaunchOutcome {
  return { status: 'processing', paymentSignature };
}

/** What the status endpoint says of a launch, but its pool. Throws 409 `conflict` while an operator has to decide. */
export function statusAnswer(launch: LaunchRecord): LaunchOutcome {
  const paymentSignature = signatureOf(launch);
  const status = publicStatusOf(launch.state);
  switch (status) {
    case 'completed':
      return { status, paymentSignature, mint: launch.mint };
    case 'processing':
      return { status, paymentSignature };
    case 'service_unavailable':
      return { status, charged: false, paymentSignature, reason: reasonOf(launch), ...refundOf(launch) };
    case 'conflict':
      throw needsRecovery(launch);
  }
}

/** The answer of submit: like the status, but a launch that did not land is a 503 with `charged: false`. */
export function submitAnswer(launch: LaunchRecord): LaunchOutcome {
  const answer = statusAnswer(launch);
  if (answer.status !== 'service_unavailable') return answer;
  throw notCharged(`${reasonOf(launch)}; nothing was charged, prepare the launch again`, answer.paymentSignature);
}

function signatureOf(launch: LaunchRecord): string {
  return launch.paymentSignature ?? launch.submittedSignature;
}

function reasonOf(launch: LaunchRecord): string {
  return launch.reason ?? (launch.state === 'refunded' ? 'the payment was refunded' : 'the bundle did not land');
}

function refundOf({ refundSignature }: LaunchRecord): Pick<LaunchOutcome, 'refundSignature'> {
  return refundSignature === null ? {} : { refundSignature };
}

function needsRecovery(launch: LaunchRecord): AppError {
  return new ExtendedAppError(
    'conflict',
    'the payment landed and the launch needs manual recovery; do not retry and do not pay again',
    { paymentSignature: signatureOf(launch) },
    { retryable: false },
  );
}
