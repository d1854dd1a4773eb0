import { isRecord } from './shape.ts';

/** Stable; branch on them, never on messages. */
export type ErrorCode =
  | 'invalid_request'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'rate_limited'
  | 'internal'
  | 'service_unavailable';

export interface ApiErrorFields {
  /** Unknown codes pass unchanged. */
  readonly code: ErrorCode | (string & {});
  /** HTTP status. */
  readonly status: number;
  /** For the platform's operators; null if the response had none. */
  readonly requestId: string | null;
  readonly retryable: boolean;
  /** Seconds; 0 if waiting does not help. */
  readonly retryAfter: number;
  /** Such as `charged` and `paymentSignature` of a launch. */
  readonly beside: Readonly<Record<string, unknown>>;
}

/** The API responded with an error. */
export class ApiError extends Error implements ApiErrorFields {
  readonly code: ApiErrorFields['code'];
  readonly status: number;
  readonly requestId: string | null;
  readonly retryable: boolean;
  readonly retryAfter: number;
  readonly beside: Readonly<Record<string, unknown>>;

  constructor(message: string, fields: ApiErrorFields) {
    super(message);
    this.name = 'ApiError';
    this.code = fields.code;
    this.status = fields.status;
    this.requestId = fields.requestId;
    this.retryable = fields.retryable;
    this.retryAfter = fields.retryAfter;
    this.beside = fields.beside;
  }
}

/** There was no connection, a timeout, or another server. It proves nothing about money. */
export class NoAnswerError extends Error {
  constructor(what: string, cause?: unknown) {
    super(what, { cause });
    this.name = 'NoAnswerError';
  }
}

/** Null if the response has none. */
export function apiErrorOf(status: number, headers: Headers, body: unknown): ApiError | null {
  if (!isRecord(body) || !isRecord(body['error'])) return null;
  const { error, ...beside } = body;
  const { code, message, retryable, retryAfterSeconds } = error;
  if (typeof code !== 'string' || typeof message !== 'string') return null;
  const seconds = typeof retryAfterSeconds === 'number' && retryAfterSeconds > 0 ? retryAfterSeconds : 0;
  return new ApiError(message, {
    code,
    status,
    requestId: headers.get('x-request-id'),
    retryable: retryable === true,
    retryAfter: Math.min(Math.max(seconds, headerSeconds(headers)), LONGEST_WAIT_SECONDS),
    beside,
  });
}

/** Timers cannot wait longer: a larger value would fire at once. */
const LONGEST_WAIT_SECONDS = 86_400;

function headerSeconds(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}
