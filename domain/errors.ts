/** Stable codes; clients branch on them. */
export const ERROR_CODES = [
  'invalid_request',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'conflict',
  'rate_limited',
  'internal',
  'service_unavailable',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export const HTTP_STATUS = {
  invalid_request: 400,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  rate_limited: 429,
  internal: 500,
  service_unavailable: 503,
} as const satisfies Record<ErrorCode, number>;

const RETRYABLE_BY_DEFAULT: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'internal', 'service_unavailable']);

/** `retryAfterSeconds` is 0 where waiting does not help. */
export interface AppErrorOptions {
  readonly retryable?: boolean;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.retryable = options.retryable ?? RETRYABLE_BY_DEFAULT.has(code);
    this.retryAfterSeconds = options.retryAfterSeconds ?? 0;
  }

  get httpStatus(): number {
    return HTTP_STATUS[this.code];
  }
}
