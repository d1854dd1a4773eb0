import { createServer } from 'node:net';
import { once } from 'node:events';
import { collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import type { OpenSweeps } from '../db/fee-sweep/fee-sweeps.ts';
import { LAUNCH_STATES, type LaunchState } from '../domain/launch/state.ts';

/** Where the figures come from. Each is asked at every scrape. */
export interface MetricSources {
  readonly launchesByState: () => Promise<ReadonlyMap<LaunchState, number>>;
  readonly freeLaunchAddresses: () => Promise<number>;
  readonly openFeeSweeps: () => Promise<OpenSweeps>;
  readonly airdropBacklog: () => Promise<{ readonly open: number; readonly oldestAt: Date | null }>;
  /** What the parts of this process count themselves. */
  readonly counted: readonly Metric[];
  /** The Temporal runtime's own Prometheus page. */
  readonly temporalMetricsUrl: string;
}

/** Scraping the native exporter is a loopback request; longer means that it is gone, in ms. */
const TEMPORAL_TIMEOUT_MS = 1_000;

/**
 * Returns the function that renders `/metrics`: process figures, launches by state, free launch addresses, open fee sweeps,
 * what the market's index does, and everything the Temporal runtime counts (latencies, slots, cache). `slipway_temporal_metrics_up` is 0 when that part is missing.
 */
export function createMetrics(sources: MetricSources): () => Promise<string> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registry.registerMetric(launchesGauge(sources));
  registry.registerMetric(addressesGauge(sources));
  registry.registerMetric(feeSweepsGauge(sources));
  for (const metric of airdropGauges(sources)) registry.registerMetric(metric);
  for (const metric of sources.counted) registry.registerMetric(metric);
  const temporalUp = new Gauge({
    name: 'slipway_temporal_metrics_up',
    help: '1 when the Temporal runtime answered with its metrics',
    registers: [registry],
  });
  return async () => {
    const temporal = await scrape(sources.temporalMetricsUrl);
    temporalUp.set(temporal === null ? 0 : 1);
    return `${await registry.metrics()}${temporal ?? ''}`;
  };
}

function launchesGauge({ launchesByState }: MetricSources): Gauge {
  return new Gauge({
    name: 'slipway_launches',
    help: 'Launches by state',
    labelNames: ['state'],
    registers: [],
    async collect() {
      const counts = await launchesByState();
      for (const state of LAUNCH_STATES) this.set({ state }, counts.get(state) ?? 0);
    },
  });
}

function addressesGauge({ freeLaunchAddresses }: MetricSources): Gauge {
  return new Gauge({
    name: 'slipway_free_launch_addresses',
    help: 'Derived launch addresses that no quote has taken',
    registers: [],
    async collect() {
      this.set(await freeLaunchAddresses());
    },
  });
}

function feeSweepsGauge({ openFeeSweeps }: MetricSources): Gauge {
  return new Gauge({
    name: 'slipway_open_fee_sweeps',
    help: 'Sweeps of fees without an end: planned, harvested and not burned, and those of both whose last try failed',
    labelNames: ['state'],
    registers: [],
    async collect() {
      const { planned, harvested, failing } = await openFeeSweeps();
      for (const [state, count] of Object.entries({ planned, harvested, failing })) this.set({ state }, count);
    },
  });
}

function airdropGauges({ airdropBacklog }: MetricSources): Gauge[] {
  return [
    new Gauge({
      name: 'slipway_airdrops_open',
      help: 'Airdrops of final launches that are not delivered',
      registers: [],
      async collect() {
        this.set((await airdropBacklog()).open);
      },
    }),
    new Gauge({
      name: 'slipway_airdrop_oldest_timestamp_seconds',
      help: 'When the launch was recorded whose airdrop is open for longest; 0 where none is open',
      registers: [],
      async collect() {
        const { oldestAt } = await airdropBacklog();
        this.set(oldestAt === null ? 0 : Math.floor(oldestAt.getTime() / 1_000));
      },
    }),
  ];
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
