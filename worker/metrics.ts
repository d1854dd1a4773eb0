import { createServer } from 'node:net';
import { once } from 'node:events';
import { Gauge, type Metric } from 'prom-client';
import { createRegistry } from '../observe/registry.ts';

export interface MetricSources {
  /** Read at every scrape. */
  readonly meters: readonly Metric[];
  readonly temporalMetricsUrl: string;
}

/** Timeout of a loopback request, ms; longer means gone. */
const TEMPORAL_TIMEOUT_MS = 1_000;

/**
 * Creates the page: process figures, meters, the Temporal runtime's. `slipway_temporal_metrics_up` is 0 without the
 * latter.
 */
export function createMetrics({ meters, temporalMetricsUrl }: MetricSources): () => Promise<string> {
  const registry = createRegistry(meters);
  const temporalUp = new Gauge({
    name: 'slipway_temporal_metrics_up',
    help: '1 when the Temporal runtime answered with its metrics',
    registers: [registry],
  });
  return async () => {
    const temporal = await scrape(temporalMetricsUrl);
    temporalUp.set(temporal === null ? 0 : 1);
    return `${await registry.metrics()}${temporal ?? ''}`;
  };
}

async function scrape(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TEMPORAL_TIMEOUT_MS) });
    return response.ok ? await response.text() : null;
  } catch {
    return null; // reported as slipway_temporal_metrics_up 0
  }
}

/** Finds an address that was free a moment ago: the native exporter takes a fixed port. */
export async function freeLoopbackAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error(`no port in ${address}`);
  return `127.0.0.1:${address.port}`;
}
