import { AppError, type AppErrorOptions, type ErrorCode } from '../domain/errors.ts';

/** Top-level fields that an error answer carries beside `error`. JSON values only. */
export type ErrorExtension = Readonly<Record<string, unknown>>;

/** An {@link AppError} whose answer carries more than the error: the fields of `extension` stand beside `error`. */
export class ExtendedAppError extends AppError {
  readonly extension: ErrorExtension;

  constructor(code: ErrorCode, message: string, extension: ErrorExtension, options: AppErrorOptions = {}) {
    super(code, message, options);
    this.name = 'ExtendedAppError';
    this.extension = extension;
  }
}

/** A request that is not what its endpoint takes, whatever there is: found before anything was looked up. */
export class MalformedError extends AppError {
  constructor(message: string) {
    super('invalid_request', message);
    this.name = 'MalformedError';
  }
}

/**
 * The answer of a launch submit whose payment did not and cannot land: 503 with `charged: false` beside the error. The client
 * retries with a fresh quote, hence retryable. Throw it only where not charging is proven.
 */
export function notCharged(message: string, paymentSignature: string, cause?: unknown): ExtendedAppError {
  const extension = { status: 'service_unavailable', charged: false, paymentSignature };
  return new ExtendedAppError('service_unavailable', message, extension, { retryable: true, cause });
}

/** The answer of a feature that is switched off: waiting does not help, so it is not retryable. */
export function featureOff(message: string): AppError {
  return new AppError('service_unavailable', message, { retryable: false, retryAfterSeconds: 0 });
}
