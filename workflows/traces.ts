import type { Headers } from '@temporalio/common';
import {
  ContinueAsNew,
  defaultPayloadConverter,
  proxySinks,
  type Sinks,
  workflowInfo,
  type WorkflowInterceptors,
} from '@temporalio/workflow';
import { errorName } from '../domain/error-text.ts';
import { carrierOf, parentIn, TRACE_HEADER, type TraceParent } from '../domain/trace-parent.ts';

export interface TracedRun {
  readonly parent: TraceParent;
  readonly spanId: string;
  /** Null without one. */
  readonly failure: string | null;
}

export interface TraceSinks extends Sinks {
  traces: { ran(run: TracedRun): void };
}

/**
 * Adds traces; runs only in a worker with traces. Activities get the trace of the starter, or of the last updater. No
 * promise and no random value is added: a run makes the same commands with and without them.
 */
export function interceptors(): WorkflowInterceptors {
  let own: TraceParent | null = null;
  return {
    inbound: [
      {
        execute: (input, next) => {
          const parent = traceHeaderOf(input.headers);
          if (parent === null) return next(input);
          const spanId = spanIdOf(workflowInfo().runId);
          own = { ...parent, spanId };
          return toldAtItsEnd(next(input), (failure) => {
            proxySinks<TraceSinks>().traces.ran({ parent, spanId, failure });
          });
        },
        handleUpdate: (input, next) => {
          const updater = traceHeaderOf(input.headers);
          if (updater !== null && updater.traceId !== own?.traceId) own = updater;
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(own === null ? input : withTrace(input, own)),
        scheduleLocalActivity: (input, next) => next(own === null ? input : withTrace(input, own)),
      },
    ],
  };
}

function traceHeaderOf(headers: Headers): TraceParent | null {
  const payload = headers[TRACE_HEADER];
  return payload === undefined ? null : parentIn(defaultPayloadConverter.fromPayload(payload));
}

function traceHeader(at: TraceParent): Headers {
  return { [TRACE_HEADER]: defaultPayloadConverter.toPayload(carrierOf(at)) };
}

function withTrace<Input extends { readonly headers: Headers }>(input: Input, at: TraceParent): Input {
  return { ...input, headers: { ...input.headers, ...traceHeader(at) } };
}

/** Returns the run's own promise: its end is not delayed. */
function toldAtItsEnd(run: Promise<unknown>, tell: (failure: string | null) => void): Promise<unknown> {
  run.then(
    () => tell(null),
    (error: unknown) => tell(error instanceof ContinueAsNew ? null : errorName(error)),
  );
  return run;
}

/** Returns the end of the run's id: random, and the same in every replay. */
function spanIdOf(runId: string): string {
  return runId.replaceAll('-', '').slice(-16);
}
