import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../../domain/errors.ts';
import { endSocket } from '../../observe/bounded-server.ts';
import { newRequestId } from '../request-id.ts';
import { errorBody } from './error-handler.ts';

/** Answers malformed HTTP, slow requests, oversized headers, in the API's error shape. Only a socket exists. */
export function answerMalformedHttp(error: Error & { code?: string }, socket: Socket): void {
  // The client is gone.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    endSocket(socket);
    return;
  }
  endSocket(socket, rawAnswer(error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? tooLate() : malformed(error.code)));
}

/** Answers a request whose body comes too slowly. */
export function answerLateRequest(socket: Socket): void {
  endSocket(socket, rawAnswer(tooLate()));
}

/** Node would close a connection that asks for a tunnel, without a response. */
export function answerTunnel(socket: Socket): void {
  // Node listens for errors no more: a reset would end the process.
  socket.on('error', () => socket.destroy());
  endSocket(socket, rawAnswer(new AppError('method_not_allowed', 'CONNECT is not allowed here')));
}

/** The next try may find a better network. */
function tooLate(): AppError {
  const message = 'the request took too long to arrive; send it again';
  return new AppError('service_unavailable', message, { retryAfterSeconds: 5 });
}

function malformed(code: string | undefined): AppError {
  const isLarge = code === 'HPE_HEADER_OVERFLOW';
  return new AppError('invalid_request', isLarge ? 'the headers are too large' : 'the request is not valid HTTP');
}

function rawAnswer(failure: AppError): string {
  const body = JSON.stringify(errorBody(failure));
  return [
    `HTTP/1.1 ${failure.httpStatus} ${STATUS_CODES[failure.httpStatus]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    ...(failure.retryAfterSeconds > 0 ? [`retry-after: ${failure.retryAfterSeconds}`] : []),
    'cache-control: no-store',
    'access-control-allow-origin: *',
    `x-request-id: ${newRequestId()}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}
