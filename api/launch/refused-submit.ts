/** Refusals of a submit that say nothing about a charge. */

import type { ContradictionError } from '../../db/errors.ts';
import type { TooManyLateError } from '../../db/launch/late-quotes.ts';
import type { TooManyUnpaidError } from '../../db/launch/unpaid-launches.ts';
import { AppError } from '../../domain/errors.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';

/** A landing launch takes seconds; a failed one a minute and a half. */
const RETRY_WHEN_OPEN_SECONDS = 10;

/** Retry delay of a refused late submit: by then later submits replace older late ones. */
const RETRY_WHEN_LATE_SECONDS = 600;

/**
 * Refuses a quote whose addresses another one took: after a restore two quotes can share them, and the first submitted
 * gets them. An earlier copy may have known this quote, so the error makes no statement about a charge.
 */
export function takenByAnother({ quoteId }: LaunchTerms, cause: ContradictionError): AppError {
  return new AppError('service_unavailable', `quote ${quoteId} cannot be launched any more: its addresses were taken`, {
    retryable: false,
    cause,
  });
}

/** Refuses a quote that may have begun before a restore: no statement about a charge. */
export function storedOtherwise({ quoteId }: LaunchTerms): AppError {
  return new AppError(
    'service_unavailable',
    `quote ${quoteId} cannot be launched any more: another version of the service made it`,
    { retryable: false },
  );
}

const WHOSE_LIMIT: Readonly<Record<TooManyUnpaidError['whose'], string>> = {
  creator: 'this wallet has',
  client: 'this network address has',
  clientNetwork: 'this network has',
  all: 'the platform has',
  share: 'the platform is busy, and this network has',
};

/** An earlier copy may have known the quote: no statement about a charge. The same call may succeed later. */
export function tooManyOpen(cause: TooManyUnpaidError, leftSeconds: number): AppError {
  const needsFresh =
    leftSeconds < RETRY_WHEN_OPEN_SECONDS ? '; the quote expires before: prepare the launch again' : '';
  return new AppError(
    'rate_limited',
    `${WHOSE_LIMIT[cause.whose]} ${cause.limit} unpaid launches under way; wait until one has ended${needsFresh}`,
    { retryAfterSeconds: RETRY_WHEN_OPEN_SECONDS, cause },
  );
}

/**
 * Refuses when there is no room for the row that proves "not charged": no statement. The same call may succeed later.
 */
export function tooManyLate(cause: TooManyLateError): AppError {
  return new AppError(
    'rate_limited',
    `the quote came too late, and so did too many others; ${cause.message}; to launch, prepare again now`,
    {
      retryAfterSeconds: RETRY_WHEN_LATE_SECONDS,
      cause,
    },
  );
}
