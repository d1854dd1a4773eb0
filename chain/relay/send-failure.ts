import { status } from '@grpc/grpc-js';
import { BundleSendError, type SendOutcome } from './bundle-relay.ts';

export interface GrpcFailure {
  readonly code: number;
  readonly message: string;
  readonly details: string;
}

/** Refused before acting. */
const TURNED_AWAY: ReadonlySet<number> = new Set([
  status.INVALID_ARGUMENT,
  status.UNAUTHENTICATED,
  status.PERMISSION_DENIED,
  status.UNIMPLEMENTED,
]);

/**
 * Returns `unknown` for all but plain refusals: a deadline, broken connection or internal error can follow a forwarded
 * bundle.
 */
export function outcomeOf(failure: GrpcFailure): SendOutcome {
  // "already processed": an earlier send, or one of its transactions, landed.
  if (/already processed|already exists|duplicate/i.test(failure.details)) return 'unknown';
  if (TURNED_AWAY.has(failure.code)) return 'refused';
  // grpc-js uses the same code for a response too large.
  const isRateLimit =
    failure.code === Number(status.RESOURCE_EXHAUSTED) && /rate limit|too many/i.test(failure.details);
  return isRateLimit ? 'refused' : 'unknown';
}

export function sendError(failure: GrpcFailure): BundleSendError {
  const name = status[failure.code] ?? String(failure.code);
  const outcome = outcomeOf(failure);
  const consequence = outcome === 'refused' ? 'nothing was forwarded' : 'the bundle may have been forwarded';
  return new BundleSendError(outcome, `block engine answered ${name}: ${failure.details} (${consequence})`, {
    cause: failure,
  });
}
