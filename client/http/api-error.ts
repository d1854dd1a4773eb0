import { isRecord } from './shape.ts';

/** The stable codes of the API; branch on them, never on messages. */
export type ErrorCode =
  | 'invalid_request'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'rate_limited'
  | 'internal'
  | 'service_unavailable';

/** What an API error is made of. */
export interface ApiErrorFields {
  /** A code that this client does not know is passed on as it is. */
  readonly code: ErrorCode | (string & {});
  /** HTTP status. */
  readonly status: number;
  /** Names the request to the platform's operators; null where the answer had none. */
  readonly requestId: string | null;
  readonly retryable: boolean;
  /** Seconds to wait before the same call is worth repeating; 0 where waiting does not help. */
  readonly retryAfter: number;
  /** Fields that stand beside `error`, as `charged` and `paymentSignature` of a launch. */
  readonly beside: Readonly<Record<string, unknown>>;
}

/** The API answered with an error. */
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

/** No answer of the API arrived: no connection, a timeout, or something that is not the API. It says nothing about money. */
export class NoAnswerError extends Error {
  constructor(what: string, cause?: unknown) {
    super(what, { cause });
    this.name = 'NoAnswerError';
  }
}

/** Reads the API's error out of an answer; null where the answer is none of its errors. */
export function apiErrorOf(status: number, headers: Headers, body: unknown): ApiError | null {
  if (!isRecord(body) || !isRecord(body['error'])) return null;
  const { error, ...beside } = body;
  const { code, message, retryable, retryAfterSeconds } = error;
  if (typeof code !== 'string' || typeof message !== 'string') return null;
  const seconds = typeof retryAfterSeconds === 'number' ? retryAfterSeconds : 0;
  return new ApiError(message, {
    code,
    status,
    requestId: headers.get('x-request-id'),
    retryable: retryable === true,
    retryAfter: Math.max(seconds, headerSeconds(headers)),
    beside,
  });
}

function headerSeconds(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}
