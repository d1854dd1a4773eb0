import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { carrierOf, parentIn, TRACE_HEADER, type TraceParent } from '../../domain/trace-parent.ts';

export function withTraceHeader(headers: Headers, at: TraceParent): Headers {
  return { ...headers, [TRACE_HEADER]: defaultPayloadConverter.toPayload(carrierOf(at)) };
}

/** Null if the headers name no span. */
export function traceHeaderOf(headers: Headers): TraceParent | null {
  const payload = headers[TRACE_HEADER];
  return payload === undefined ? null : parentIn(defaultPayloadConverter.fromPayload(payload));
}
