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

/** A traced run that has ended. */
export interface TracedRun {
  /** The span of who started it. */
  readonly parent: TraceParent;
  readonly spanId: string;
  /** Name of its failure; null where it has none. */
  readonly failure: string | null;
}

/** Where the worker hears of traced runs. */
export interface TraceSinks extends Sinks {
  traces: { ran(run: TracedRun): void };
}

/**
 * What a worker with traces puts around its workflows (it is in no other bundle): activities get in their headers the trace of who
 * started their workflow, or of who updated it last: a claim waits for its creator's submit. No promise is put between and
 * nothing random is drawn, so a run makes the same commands with it and without: traces can be switched on and off under open
 * workflows.
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

/** The very promise of the run, so that nobody waits longer for it. */
function toldAtItsEnd(run: Promise<unknown>, tell: (failure: string | null) => void): Promise<unknown> {
  run.then(
    () => tell(null),
    (error: unknown) => tell(error instanceof ContinueAsNew ? null : errorName(error)),
  );
  return run;
}

/** The end of a run's id: random, and the same in every replay. */
function spanIdOf(runId: string): string {
  return runId.replaceAll('-', '').slice(-16);
}
