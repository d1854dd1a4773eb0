import type { FastifyReply, FastifyRequest } from 'fastify';
import { Gauge, type Metric } from 'prom-client';
import { PROMISES_METRIC } from '../../domain/alarms/condition.ts';
import {
  outcomesBy,
  type PromiseClass,
  type PromiseOutcome,
  PROMISES,
  readingsOf,
  type ResponsePromise,
} from '../../domain/alarms/promises.ts';
import { PROMISES_HELP } from '../../observe/promises-help.ts';
import { createRecentCounts, type RecentCounts } from '../../observe/recent-counts.ts';
import { FEATURE_OFF } from '../plugins/error-handler.ts';

/** Requests that lead to a signature; every other GET of a route is a read. */
const CLASS_OF: Readonly<Record<string, ResponsePromise>> = {
  prepareLaunch: 'prepare',
  submitLaunch: 'submit',
  prepareClaim: 'claim-request',
  submitClaim: 'claim-request',
};

const COUNTED = Object.keys(PROMISES)
  .filter((name): name is PromiseClass => name in PROMISES)
  .filter((name) => PROMISES[name].countedIn === 'responses');

interface PromiseMeter {
  readonly metric: Metric;
  readonly count: (request: FastifyRequest, reply: FastifyReply) => void;
}

/** Counts responses of this process within the window of each class. */
export function createPromiseMeter(now: () => number = Date.now): PromiseMeter {
  const windows = new Map(
    COUNTED.map((name) => [name, createRecentCounts(PROMISES[name].windowMinutes * 60_000, now)] as const),
  );
  const metric = new Gauge({
    name: PROMISES_METRIC,
    help: PROMISES_HELP,
    labelNames: ['class', 'outcome'],
    registers: [],
    collect() {
      const counts = [...windows].map(([name, recent]) => [name, countsIn(recent)] as const);
      for (const { labels, value } of readingsOf(counts)) this.set({ ...labels }, value);
    },
  });
  return {
    metric,
    count: (request, reply) => {
      const name = classOf(request);
      const outcome = outcomeOf(request, reply);
      if (name !== undefined && outcome !== null) windows.get(name)?.add(outcome);
    },
  };
}

function countsIn(recent: RecentCounts) {
  const counts = recent.read();
  const of = outcomesBy((outcome) => counts.get(outcome) ?? 0);
  return { asked: of.kept + of.refused + of.unknown, ...of };
}

function classOf({ method, routeOptions }: FastifyRequest): ResponsePromise | undefined {
  const named = CLASS_OF[routeOptions.schema?.operationId ?? ''];
  const isRead = method === 'GET' && routeOptions.url !== undefined && routeOptions.url !== '*';
  return named ?? (isRead ? 'read' : undefined);
}

/** Null where nothing was promised: the request breaks a rule, or its feature is switched off. */
function outcomeOf({ observed }: FastifyRequest, { statusCode }: FastifyReply): PromiseOutcome | null {
  if (observed?.outcome === FEATURE_OFF) return null;
  if (statusCode < 400) return 'kept';
  if (statusCode < 500) return null;
  return statusCode === 503 ? 'refused' : 'unknown';
}
