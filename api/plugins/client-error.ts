import type { Socket } from 'node:net';
import { AppError } from '../../domain/errors.ts';
import { newRequestId } from '../request-id.ts';
import { errorBody } from './error-handler.ts';

/**
 * Answers what is not HTTP, or arrives too slowly or with too large headers, in the API's own error shape. There is no
 * request to answer yet, only a socket.
 */
export function answerMalformedHttp(error: Error & { code?: string }, socket: Socket): void {
  // Nobody is there to read an answer.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(rawAnswer(new AppError('invalid_request', reason(error.code))));
}

function reason(code: string | undefined): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'the request took too long to arrive';
  if (code === 'HPE_HEADER_OVERFLOW') return 'the headers are too large';
  return 'the request is not valid HTTP';
}

function rawAnswer(failure: AppError): string {
  const body = JSON.stringify(errorBody(failure));
  return [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    `x-request-id: ${newRequestId()}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}
