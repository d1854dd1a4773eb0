import type { TracesOptions } from './otlp-traces.ts';
import type { Traces } from './traces.ts';

export interface TracesSettings {
  /** Null: no collector. */
  readonly traces: Pick<TracesOptions, 'url' | 'headers'> | null;
  readonly environment: string;
  readonly shutdownGraceMs: number;
}

export interface TracesLog {
  warn(fields: { readonly err: unknown }, message: string): void;
}

/** Time limit at shutdown, ms. */
const CLOSE_MS = 3_000;

/** Null without a collector; OpenTelemetry is loaded only with one. */
export async function openTraces(settings: TracesSettings, service: string, logger: TracesLog): Promise<Traces | null> {
  const { traces: collector, environment, shutdownGraceMs } = settings;
  if (collector === null) return null;
  const { createOtlpTraces } = await import('./otlp-traces.ts');
  return createOtlpTraces({
    ...collector,
    service,
    environment,
    closeMs: Math.min(CLOSE_MS, shutdownGraceMs / 2),
    onLost: (error) => logger.warn({ err: error }, 'spans were lost: the collector did not take them'),
  });
}
