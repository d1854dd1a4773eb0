import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import { ExtendedAppError, MalformedError } from '../errors.ts';
import type { ApiInstance } from '../instance.ts';
import { observe } from '../metrics/observed.ts';
import { isDependencyDown } from './dependency-errors.ts';

/** Body of a failure: exactly four fields, and for a few answers more beside `error`. */
export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly retryable: boolean;
    readonly retryAfterSeconds: number;
  };
}

/** One error handler for the whole API, so that no endpoint invents a shape of its own or leaks what failed inside. */
export function registerErrorHandler(app: ApiInstance): void {
  app.setErrorHandler(answerFailure);
}

/** Answers a request with its failure. Used by the error handler and for failures before routing. */
export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toAppError(error, request.id);
  logFailure(request, error, failure);
  observe(request, { outcome: outcomeOf(failure) });
  if (failure.retryAfterSeconds > 0) void reply.header('retry-after', failure.retryAfterSeconds);
  return reply
    .code(failure.httpStatus)
    .header('cache-control', 'no-store')
    .removeHeader('etag')
    .send(errorBody(failure));
}

/** The body of a failure, for writers that have no reply (malformed HTTP). */
export function errorBody(failure: AppError): ErrorBody {
  const { code, message, retryable, retryAfterSeconds } = failure;
  const extension = failure instanceof ExtendedAppError ? failure.extension : {};
  return { ...extension, error: { code, message, retryable, retryAfterSeconds } };
}

/** Its code; that a payment did not land is an outcome of its own. */
function outcomeOf(failure: AppError): string {
  const isUncharged = failure instanceof ExtendedAppError && failure.extension['charged'] === false;
  return isUncharged ? 'not_charged' : failure.code;
}

function toAppError(error: unknown, requestId: string): AppError {
  if (error instanceof AppError && error.code !== 'internal') return error;
  if (isClientFault(error)) return new AppError('invalid_request', clientFaultMessage(error), { cause: error });
  if (isDependencyDown(error)) {
    return new AppError('service_unavailable', 'a service this request depends on does not answer', {
      retryAfterSeconds: 5,
      cause: error,
    });
  }
  return new AppError('internal', `internal error; quote request id ${requestId} when you report it`, { cause: error });
}

/** Whether a request was refused for what it is, before its handler began. */
export function isMalformed(error: unknown): boolean {
  return error instanceof MalformedError || isClientFault(error);
}

/**
 * Framework errors of the request itself: malformed JSON, a body too large, an unknown media type, a malformed URL. Only
 * Fastify's own: another library's status of 4xx is about a request of ours and its message not for the client.
 */
function isClientFault(error: unknown): error is FastifyError {
  if (!(error instanceof Error) || !('statusCode' in error) || !('code' in error)) return false;
  const isClientStatus = typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500;
  return isClientStatus && typeof error.code === 'string' && error.code.startsWith('FST_');
}

function clientFaultMessage(error: FastifyError): string {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return 'the body must be sent as content-type application/json';
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return 'the body is too large';
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return 'the body is not valid JSON';
    default:
      return error.message;
  }
}

/** Failures of the server are logged with their cause; a client's mistakes only by code, because messages repeat what was sent. */
function logFailure(request: FastifyRequest, error: unknown, failure: AppError): void {
  const fields = { code: failure.code, route: request.routeOptions.url };
  if (failure.code === 'internal' || !(error instanceof AppError)) {
    if (failure.httpStatus >= 500) request.log.error({ ...fields, err: error }, 'request failed');
    return;
  }
  if (failure.httpStatus >= 500) request.log.warn({ ...fields, err: failure }, 'request refused');
}
