/** Trace and span ids of W3C Trace Context: lower-case hex, not all zeros. */
export interface TraceParent {
  /** 32 digits, of all spans of a trace. */
  readonly traceId: string;
  /** 16 digits. */
  readonly spanId: string;
}

/** Header that carries the trace through Temporal, as its SDKs name it. */
export const TRACE_HEADER = '_tracer-data';

export interface TraceCarrier {
  readonly traceparent: string;
}

const FORMAT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/;

/** https://www.w3.org/TR/trace-context/#traceparent-header; the last number: recorded. */
export function carrierOf({ traceId, spanId }: TraceParent): TraceCarrier {
  return { traceparent: `00-${traceId}-${spanId}-01` };
}

/** Null if invalid. */
export function parentIn(carrier: unknown): TraceParent | null {
  if (typeof carrier !== 'object' || carrier === null || !('traceparent' in carrier)) return null;
  const { traceparent } = carrier;
  const [, traceId, spanId] = typeof traceparent === 'string' ? (FORMAT.exec(traceparent) ?? []) : [];
  return traceId === undefined || spanId === undefined ? null : { traceId, spanId };
}
