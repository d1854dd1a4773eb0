import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { carrierOf, parentIn, TRACE_HEADER, type TraceParent } from '../../domain/trace-parent.ts';

/** These headers, with the span that a workflow is started by. */
export function withTraceHeader(headers: Headers, at: TraceParent): Headers {
  return { ...headers, [TRACE_HEADER]: defaultPayloadConverter.toPayload(carrierOf(at)) };
}

/** The span that headers name; null where they name none. */
export function traceHeaderOf(headers: Headers): TraceParent | null {
  const payload = headers[TRACE_HEADER];
  return payload === undefined ? null : parentIn(defaultPayloadConverter.fromPayload(payload));
}
