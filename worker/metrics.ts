import { createServer } from 'node:net';
import { once } from 'node:events';
import { Gauge, type Metric } from 'prom-client';
import { createRegistry } from '../observe/registry.ts';

/** What the metrics page is made of. */
export interface MetricSources {
  /** What the processes count, or ask for at every scrape. */
  readonly meters: readonly Metric[];
  /** The Temporal runtime's own Prometheus page. */
  readonly temporalMetricsUrl: string;
}

/** Scraping the native exporter is a loopback request; longer means that it is gone, in ms. */
const TEMPORAL_TIMEOUT_MS = 1_000;

/**
 * Returns the function that renders `/metrics`: process figures, the meters, and everything the Temporal runtime counts
 * (latencies, slots, cache). `slipway_temporal_metrics_up` is 0 when that part is missing.
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
    return null; // shown as slipway_temporal_metrics_up 0, where monitoring looks
  }
}

/** A loopback address that was free a moment ago: the native exporter takes a fixed port and does not tell a chosen one. */
export async function freeLoopbackAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error(`no port in ${address}`);
  return `127.0.0.1:${address.port}`;
}
