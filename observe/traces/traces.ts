import { errorName } from '../../domain/error-text.ts';
import type { TraceParent } from '../../domain/trace-parent.ts';

/** What a span says: names and numbers that a log line may carry too. What is undefined is left out. */
export type SpanFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Whether a process answers, asks another one, or works by itself. */
export type SpanKind = 'server' | 'client' | 'internal';

/** How a span begins. */
export interface SpanStart {
  /** Default `internal`. */
  readonly kind?: SpanKind;
  readonly fields?: SpanFields;
  /** Default: the open span that this runs in; without one a trace begins. */
  readonly parent?: TraceParent | null;
}

/** Something that has ended just now. */
export interface PastSpan extends SpanStart {
  readonly parent: TraceParent;
  /** Its own number; default: a random one. */
  readonly spanId?: string;
  /** ms since 1970. */
  readonly startedAt: number;
  /** Name of what went wrong; absent where nothing did. */
  readonly failure?: string | undefined;
}

/** Something that is under way. */
export interface OpenSpan {
  readonly at: TraceParent;
  set(fields: SpanFields): void;
  /** What `work` does belongs to this span, for as long as the span is open. */
  run<T>(work: () => T): T;
  /** `failure` is the name of what went wrong: what it says stands in the log. */
  end(failure?: string): void;
}

/** Where spans go. Nothing here waits for the collector, and nothing throws. */
export interface Traces {
  begin(name: string, start?: SpanStart): OpenSpan;
  /** Records what has ended. */
  ended(name: string, span: PastSpan): void;
  /** The span that this runs in; null outside of any, and after it has ended: what outlives a request is no part of it. */
  current(): TraceParent | null;
  /** Hands on what is not yet sent, for a limited time. */
  close(): Promise<void>;
}

/** Runs `work` in a span and ends that with it. */
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

/** Runs work in a span of its own where it is part of an open one, and without any elsewhere. */
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
