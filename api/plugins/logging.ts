import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import type { ApiInstance } from '../instance.ts';

/** Names of fields that never reach the log, wherever one level of nesting puts them. */
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

/** Business ids that log lines carry, so that a launch can be followed through all processes. */
export interface LogFields {
  readonly quoteId?: string;
  readonly paymentSignature?: string;
  readonly mint?: string;
  readonly workflowId?: string;
  readonly intentId?: string;
  /** Of requests that are traced. */
  readonly traceId?: string;
}

/**
 * Where log lines go, by default stdout: collected for a tenth of a second, because a system call for each line would cost as
 * much as a kept answer. What was collected is written when the process ends or fails.
 */
export function logDestination(dest: string | number = 1): pino.DestinationStream {
  return pino.destination({ dest, sync: false, minLength: 4_096, periodicFlush: 100 });
}

/** The API's logger: JSON lines, secrets removed. */
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

/** One line for each request: names and numbers that the API itself made or checked. */
export interface RequestLine extends LogFields {
  readonly requestId: string;
  readonly method: string;
  /** Path of the route; null where there is none. */
  readonly route: string | null;
  readonly ip: string;
  readonly status: number;
  /** Duration in ms. */
  readonly ms: number;
}

export type RequestLog = (line: RequestLine) => void;

declare module 'fastify' {
  interface FastifyRequest {
    /** Business ids of this request's log lines. */
    logFields: LogFields | null;
  }
}

/** Logs requests without looking for secrets to remove: a line has only the fields above, and the look costs more than the line. */
export function createRequestLog(logger: FastifyBaseLogger, level: 'info' | 'debug' = 'info'): RequestLog {
  const plain = logger.child({}, { redact: [] });
  return (line) => {
    plain[level](line, 'request');
  };
}

/** Adds business ids to every later log line of this request. */
export function addLogFields(request: FastifyRequest, fields: LogFields): void {
  request.logFields = { ...request.logFields, ...fields };
  request.log = request.log.child(fields);
}

/** One line for each request, without headers and bodies: a body can hold a signed transaction, a header the admin password. */
export function registerRequestLog(app: ApiInstance, log: RequestLog): void {
  app.decorateRequest('logFields', null);
  app.addHook('preHandler', async (request) => {
    const { mint, paymentSignature } = request.params as { mint?: string; paymentSignature?: string };
    if (mint !== undefined || paymentSignature !== undefined) addLogFields(request, { mint, paymentSignature });
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, ip, routeOptions, logFields, id: requestId } = request;
    const ms = Math.round(reply.elapsedTime);
    log({ requestId, ...logFields, method, route: routeOptions.url ?? null, ip, status: reply.statusCode, ms });
  });
}
