/** A span by its two numbers, as W3C Trace Context writes them: lower-case hex, neither of them all zeros. */
export interface TraceParent {
  /** 32 digits, the same for all spans of a trace. */
  readonly traceId: string;
  /** 16 digits. */
  readonly spanId: string;
}

/** The header that carries a trace through Temporal; the tracing of Temporal's SDKs uses the same name and content. */
export const TRACE_HEADER = '_tracer-data';

/** Content of that header. */
export interface TraceCarrier {
  readonly traceparent: string;
}

const FORMAT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/;

/**
 * A span as that header names it (https://www.w3.org/TR/trace-context/#traceparent-header). The last number says that the trace is
 * recorded.
 */
export function carrierOf({ traceId, spanId }: TraceParent): TraceCarrier {
  return { traceparent: `00-${traceId}-${spanId}-01` };
}

/** The span that a header's content names; null where it is none of these. */
export function parentIn(carrier: unknown): TraceParent | null {
  if (typeof carrier !== 'object' || carrier === null || !('traceparent' in carrier)) return null;
  const { traceparent } = carrier;
  const [, traceId, spanId] = typeof traceparent === 'string' ? (FORMAT.exec(traceparent) ?? []) : [];
  return traceId === undefined || spanId === undefined ? null : { traceId, spanId };
}
