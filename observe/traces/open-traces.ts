import type { TracesOptions } from './otlp-traces.ts';
import type { Traces } from './traces.ts';

/** What a process's configuration says of its traces. */
export interface TracesSettings {
  /** The collector; null for none. */
  readonly traces: Pick<TracesOptions, 'url' | 'headers'> | null;
  readonly environment: string;
  readonly shutdownGraceMs: number;
}

/** Where lost spans are noted. */
export interface TracesLog {
  warn(fields: { readonly err: unknown }, message: string): void;
}

/** Longest wait for the collector when a process ends, in ms. */
const CLOSE_MS = 3_000;

/** The traces of a process by its name; null without a collector. Only with one is anything of OpenTelemetry loaded. */
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
