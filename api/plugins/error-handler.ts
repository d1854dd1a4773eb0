import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import { GoneError } from '../../domain/places.ts';
import { ExtendedAppError, FeatureOffError, MalformedError } from '../errors.ts';
import type { ApiInstance } from '../instance.ts';
import { observe } from '../metrics/observed.ts';
import { isDependencyDown } from './dependency-errors.ts';

/** Four fields, sometimes more beside `error`. */
export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly retryable: boolean;
    readonly retryAfterSeconds: number;
  };
}

export function registerErrorHandler(app: ApiInstance): void {
  app.setErrorHandler(answerFailure);
}

export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = isHangUp(error, request) ? hungUp(error) : toAppError(error, request.id);
  logFailure(request, error, failure);
  observe(request, { outcome: outcomeOf(failure) });
  if (failure.retryAfterSeconds > 0) void reply.header('retry-after', failure.retryAfterSeconds);
  return reply
    .code(failure.httpStatus)
    .header('cache-control', 'no-store')
    .removeHeader('etag')
    .send(errorBody(failure));
}

/** True if the client hung up, by the request's own stream: a database failure has the code ECONNRESET too. */
function isHangUp(error: unknown, { raw }: FastifyRequest): boolean {
  return error instanceof GoneError || (error instanceof Error && raw.errored === error);
}

function hungUp(cause: unknown): AppError {
  return new AppError('invalid_request', 'the client closed the connection before its request was complete', { cause });
}

/** Error body for responses without a reply object (malformed HTTP). */
export function errorBody(failure: AppError): ErrorBody {
  const { code, message, retryable, retryAfterSeconds } = failure;
  const extension = failure instanceof ExtendedAppError ? failure.extension : {};
  return { ...extension, error: { code, message, retryable, retryAfterSeconds } };
}

/** An outcome of a request to a feature that is switched off. */
export const FEATURE_OFF = 'feature_off';

function outcomeOf(failure: AppError): string {
  if (failure instanceof FeatureOffError) return FEATURE_OFF;
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

export function isMalformed(error: unknown): boolean {
  return error instanceof MalformedError || isClientFault(error);
}

/**
 * True for malformed JSON or URL, oversized body, unknown media type. A 4xx of another library concerns this service's
 * own request.
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
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return 'the body is empty; a JSON object is needed';
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return 'the body is shorter or longer than its Content-Length';
    case 'FST_ERR_BAD_URL':
      return 'the path has a percent sign that begins no encoded character';
    default:
      return 'the request is not valid';
  }
}

/** Logs server failures with their cause; client errors by code alone: their messages repeat request content. */
function logFailure(request: FastifyRequest, error: unknown, failure: AppError): void {
  const fields = { code: failure.code, route: request.routeOptions.url };
  if (isHangUp(error, request)) {
    request.log.debug(fields, failure.message);
    return;
  }
  if (failure.code === 'internal' || !(error instanceof AppError)) {
    if (failure.httpStatus >= 500) request.log.error({ ...fields, err: error }, 'request failed');
    return;
  }
  if (failure.httpStatus >= 500) request.log.warn({ ...fields, err: failure }, 'request refused');
}
