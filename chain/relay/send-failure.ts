import { status } from '@grpc/grpc-js';
import { BundleSendError, type SendOutcome } from './bundle-relay.ts';

/** A failed call as jito-ts reports it: a gRPC status code, a message, the server's details. */
export interface GrpcFailure {
  readonly code: number;
  readonly message: string;
  readonly details: string;
}

/** Statuses with which a server turns a call away before it acts on it. */
const TURNED_AWAY: ReadonlySet<number> = new Set([
  status.INVALID_ARGUMENT,
  status.UNAUTHENTICATED,
  status.PERMISSION_DENIED,
  status.UNIMPLEMENTED,
]);

/**
 * What a failed SendBundle proves. Everything that is not a plain refusal is `unknown`: a deadline, a broken connection and
 * an internal error can all follow a bundle that was forwarded.
 */
export function outcomeOf(failure: GrpcFailure): SendOutcome {
  // "already processed": the bundle, or a transaction of it, has landed through an earlier send.
  if (/already processed|already exists|duplicate/i.test(failure.details)) return 'unknown';
  if (TURNED_AWAY.has(failure.code)) return 'refused';
  // grpc-js gives the same code to an answer that was too large, so the text has to say that it is the rate limit.
  const isRateLimit =
    failure.code === Number(status.RESOURCE_EXHAUSTED) && /rate limit|too many/i.test(failure.details);
  return isRateLimit ? 'refused' : 'unknown';
}

/** The error for callers of a failed SendBundle. */
export function sendError(failure: GrpcFailure): BundleSendError {
  const name = status[failure.code] ?? String(failure.code);
  const outcome = outcomeOf(failure);
  const consequence = outcome === 'refused' ? 'nothing was forwarded' : 'the bundle may have been forwarded';
  return new BundleSendError(outcome, `block engine answered ${name}: ${failure.details} (${consequence})`, {
    cause: failure,
  });
}
