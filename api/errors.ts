import { AppError, type AppErrorOptions, type ErrorCode } from '../domain/errors.ts';

/** Fields beside `error`. JSON values only. */
export type ErrorExtension = Readonly<Record<string, unknown>>;

export class ExtendedAppError extends AppError {
  readonly extension: ErrorExtension;

  constructor(code: ErrorCode, message: string, extension: ErrorExtension, options: AppErrorOptions = {}) {
    super(code, message, options);
    this.name = 'ExtendedAppError';
    this.extension = extension;
  }
}

/** A malformed request, detected before any lookup. */
export class MalformedError extends AppError {
  constructor(message: string) {
    super('invalid_request', message);
    this.name = 'MalformedError';
  }
}

/** Call it only with proof that nothing is charged, and that nothing of the launch can land any more. */
export function notCharged(
  message: string,
  paymentSignature: string,
  { refundSignature = null }: { readonly refundSignature?: string | null } = {},
): ExtendedAppError {
  const refund = refundSignature === null ? {} : { refundSignature };
  const extension = { status: 'service_unavailable', charged: false, final: true, paymentSignature, ...refund };
  return new ExtendedAppError('service_unavailable', message, extension, { retryable: true });
}

/** A disabled feature: waiting does not help, and nothing was promised. */
export class FeatureOffError extends AppError {
  constructor(message: string) {
    super('service_unavailable', message, { retryable: false, retryAfterSeconds: 0 });
    this.name = 'FeatureOffError';
  }
}

export function featureOff(message: string): AppError {
  return new FeatureOffError(message);
}
