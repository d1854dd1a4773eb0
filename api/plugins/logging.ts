import { type FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { type ApiInstance } from '../instance.ts';

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
}

/** The API's logger: JSON lines on stdout, secrets removed. */
export function createLogger(level: string, destination?: pino.DestinationStream): pino.Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { process: 'api' },
    redact: {
      paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: '[redacted]',
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Adds business ids to every later log line of this request. */
export function addLogFields(request: FastifyRequest, fields: LogFields): void {
  request.log = request.log.child(fields);
}

/** One line for each request, without headers and bodies: a body can hold a signed transaction, a header the admin password. */
export function registerRequestLog(app: ApiInstance): void {
  app.addHook('preHandler', async (request) => {
    const { mint, paymentSignature } = request.params as { mint?: string; paymentSignature?: string };
    if (mint !== undefined || paymentSignature !== undefined) addLogFields(request, { mint, paymentSignature });
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, ip, routeOptions } = request;
    const ms = Math.round(reply.elapsedTime);
    request.log.info({ method, route: routeOptions.url ?? null, ip, status: reply.statusCode, ms }, 'request');
  });
}
