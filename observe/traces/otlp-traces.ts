import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TraceParent } from '../../domain/trace-parent.ts';
import { within } from '../../domain/within.ts';
import type { OpenSpan, SpanFields, SpanStart, Traces } from './traces.ts';

export interface TracesOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The collector groups by it. */
  readonly service: string;
  readonly environment: string;
  readonly closeMs: number;
  /** Lost spans, once a minute. */
  readonly onLost: (error: unknown) => void;
}

/** Further ones are lost. A launch has 30 or more. */
const QUEUE = 8_192;

/** Time between batches, ms. */
const SEND_EVERY_MS = 1_000;

const SEND_TIMEOUT_MS = 10_000;

const TELL_EVERY_MS = 60_000;

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** Creates traces without OpenTelemetry globals: two can share a process. */
export function createOtlpTraces(options: TracesOptions): Traces {
  const ids = new ChosenIds();
  const provider = createProvider(options, ids);
  const tracer = provider.getTracer('slipway');
  const running = new AsyncLocalStorage<Span>();
  const current = () => parentOf(running.getStore());
  return {
    begin: (name, start = {}) => openSpan(startSpan(tracer, name, start, start.parent ?? current()), running),
    ended: (name, { startedAt, spanId, failure, ...start }) => {
      ids.chooseSpanId(spanId);
      endSpan(startSpan(tracer, name, start, start.parent, startedAt), failure);
    },
    current,
    close: () => within(options.closeMs, provider.shutdown()).catch(options.onLost),
  };
}

function createProvider(options: TracesOptions, idGenerator: IdGenerator): TracerProvider {
  const { url, headers, service, environment, onLost } = options;
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: SEND_TIMEOUT_MS });
  return new TracerProvider({
    idGenerator,
    resource: resourceFromAttributes({ 'service.name': service, 'deployment.environment.name': environment }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: telling(exporter, onLost),
        maxQueueSize: QUEUE,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_TIMEOUT_MS,
      }),
    ],
  });
}

function telling(exporter: SpanExporter, onLost: (error: unknown) => void): SpanExporter {
  let toldAt = -Infinity;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const now = performance.now();
        if (result.error && now - toldAt >= TELL_EVERY_MS) {
          toldAt = now;
          onLost(result.error);
        }
        done(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

class ChosenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #chosen: string | undefined;

  chooseSpanId(spanId: string | undefined): void {
    this.#chosen = spanId;
  }

  generateTraceId(): string {
    return this.#random.generateTraceId();
  }

  generateSpanId(): string {
    const chosen = this.#chosen;
    this.#chosen = undefined;
    return chosen ?? this.#random.generateSpanId();
  }
}

function startSpan(
  tracer: Tracer,
  name: string,
  { kind = 'internal', fields = {} }: SpanStart,
  parent: TraceParent | null,
  startedAt?: number,
): Span {
  const options: SpanOptions = { kind: KINDS[kind], attributes: fields };
  if (startedAt !== undefined) options.startTime = startedAt;
  return tracer.startSpan(name, options, contextOf(parent));
}

function contextOf(parent: TraceParent | null): Context {
  if (parent === null) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { ...parent, traceFlags: TraceFlags.SAMPLED, isRemote: true });
}

function openSpan(span: Span, running: AsyncLocalStorage<Span>): OpenSpan {
  const { traceId, spanId } = span.spanContext();
  return {
    at: { traceId, spanId },
    set: (fields: SpanFields) => void span.setAttributes(fields),
    run: (work) => running.run(span, work),
    end: (failure) => endSpan(span, failure),
  };
}

function endSpan(span: Span, failure: string | undefined): void {
  if (failure !== undefined) {
    span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR, message: failure });
  }
  span.end();
}

function parentOf(span: Span | undefined): TraceParent | null {
  if (!span?.isRecording()) return null;
  const { traceId, spanId } = span.spanContext();
  return { traceId, spanId };
}
