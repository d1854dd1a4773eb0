import { errorName } from '../../domain/error-text.ts';
import type { TraceParent } from '../../domain/trace-parent.ts';

export type SpanFields = Readonly<Record<string, string | number | boolean | undefined>>;

export type SpanKind = 'server' | 'client' | 'internal';

export interface SpanStart {
  /** Default `internal`. */
  readonly kind?: SpanKind;
  readonly fields?: SpanFields;
  /** Default: the current span, else a new trace. */
  readonly parent?: TraceParent | null;
}

export interface PastSpan extends SpanStart {
  readonly parent: TraceParent;
  /** Default: random. */
  readonly spanId?: string;
  /** Unix ms. */
  readonly startedAt: number;
  readonly failure?: string | undefined;
}

export interface OpenSpan {
  readonly at: TraceParent;
  set(fields: SpanFields): void;
  /** Current span of `work` while open. */
  run<T>(work: () => T): T;
  /** @param failure name of the error; its message is only in the log */
  end(failure?: string): void;
}

/** Records spans. Never waits for the collector, never throws. */
export interface Traces {
  begin(name: string, start?: SpanStart): OpenSpan;
  ended(name: string, span: PastSpan): void;
  /** Null after its end: work that outlives a request is no part of it. */
  current(): TraceParent | null;
  close(): Promise<void>;
}

export async function inSpan<T>(span: OpenSpan, work: () => Promise<T>): Promise<T> {
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end(errorName(error));
    throw error;
  }
}

export function inPart<T>(
  traces: Traces,
  name: string,
  start: SpanStart,
  work: (span: OpenSpan | null) => Promise<T>,
): Promise<T> {
  if (traces.current() === null) return work(null);
  const span = traces.begin(name, start);
  return inSpan(span, () => work(span));
}
