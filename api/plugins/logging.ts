import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import type { ApiInstance } from '../instance.ts';
import { peerAddressOf } from '../peer-address.ts';

/** Fields that are never logged, at the top and two levels deep. */
const SECRETS = [
  'logo',
  'signedTransaction',
  'signedQuote',
  'adminPassword',
  'x-admin-password',
  'authorization',
  'cookie',
  'databaseUrl',
];

export interface LogFields {
  readonly quoteId?: string;
  readonly paymentSignature?: string;
  readonly mint?: string;
  readonly workflowId?: string;
  readonly intentId?: string;
  readonly traceId?: string;
}

/**
 * Default stdout. Buffers a tenth of a second: a system call a line would cost as much as a cached response. Written
 * when the process ends or fails.
 */
export function logDestination(dest: string | number = 1): pino.DestinationStream {
  return pino.destination({ dest, sync: false, minLength: 4_096, periodicFlush: 100 });
}

/** Secrets removed. */
export function createLogger(level: string, destination: pino.DestinationStream = logDestination()): pino.Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { process: 'api' },
    redact: {
      paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: '[redacted]',
    },
  };
  return pino(options, destination);
}

export interface RequestLine extends LogFields {
  readonly requestId: string;
  readonly method: string;
  /** Null without a route. */
  readonly route: string | null;
  readonly ip: string;
  readonly status: number;
  /** Duration. */
  readonly ms: number;
}

export type RequestLog = (line: RequestLine) => void;

declare module 'fastify' {
  interface FastifyRequest {
    logFields: LogFields | null;
  }
}

/** Logs without redaction, which would cost more than the line: only the fields above. */
export function createRequestLog(logger: FastifyBaseLogger, level: 'info' | 'debug' = 'info'): RequestLog {
  const plain = logger.child({}, { redact: [] });
  return (line) => {
    plain[level](line, 'request');
  };
}

export function addLogFields(request: FastifyRequest, fields: LogFields): void {
  request.logFields = { ...request.logFields, ...fields };
  request.log = request.log.child(fields);
}

/** Logs requests without headers and bodies: they can contain a signed transaction or the admin password. */
export function registerRequestLog(app: ApiInstance, log: RequestLog): void {
  app.decorateRequest('logFields', null);
  app.addHook('preHandler', async (request) => {
    const { mint, paymentSignature } = request.params as { mint?: string; paymentSignature?: string };
    if (mint !== undefined || paymentSignature !== undefined) addLogFields(request, { mint, paymentSignature });
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, logFields, id: requestId } = request;
    const ip = peerAddressOf(request);
    const ms = Math.round(reply.elapsedTime);
    log({ requestId, ...logFields, method, route: routeOptions.url ?? null, ip, status: reply.statusCode, ms });
  });
}
