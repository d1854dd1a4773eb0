import { tmpdir } from 'node:os';
import type { Metric } from 'prom-client';
import { newestBlockTime } from '../chain/rpc/newest-block-time.ts';
import { endpointHealth } from '../chain/rpc/endpoint-health.ts';
import { assertStoreReached, freeShareOf } from '../chain/storage/reach-store.ts';
import { assertTakesWrites } from '../db/platform/refused-writes.ts';
import type { Dependency } from '../observe/dependency-meter.ts';
import { createReadGauge } from '../observe/read-gauge.ts';
import type { Shared } from './shared.ts';

const TIMEOUT_MS = 2_000;

type Parts = Pick<Shared, 'db' | 'client' | 'relay' | 'config' | 'marketSource'>;

/**
 * Returns everything a worker depends on, each checked the way activities use it. `db` is the metrics page's own
 * connection.
 */
export function dependenciesOf({ db, client, relay, config, marketSource: { stream } }: Parts): readonly Dependency[] {
  return [
    { name: 'database', check: () => assertTakesWrites(db) },
    { name: 'temporal', check: () => describeNamespace(client) },
    ...endpointHealth(config.solana.rpcUrls, TIMEOUT_MS).map(
      ({ name, check }) => ({ name: 'rpc', endpoint: name, check }) as const,
    ),
    { name: 'block_engine', check: async () => void (await relay.tipAccounts()) },
    { name: 'storage', check: () => assertStoreReached(config.storage, TIMEOUT_MS) },
    ...(stream === null ? [] : [{ name: 'stream', check: async () => void (await stream.firstAvailable()) } as const]),
  ];
}

async function describeNamespace({ connection, workflowService, options: { namespace } }: Shared['client']) {
  await connection.withDeadline(Date.now() + TIMEOUT_MS, () => workflowService.describeNamespace({ namespace }));
}

/** Creates the meter of the chain's clock. A halted chain falls behind too. */
export function createChainClockMeter({ rpc, now, logger }: Pick<Shared, 'rpc' | 'now' | 'logger'>): Metric {
  return createReadGauge(logger, {
    name: 'slipway_chain_clock_skew_seconds',
    help: 'How far the newest confirmed block is dated ahead of this process; negative where it is behind. Absent without an endpoint',
    read: async () => {
      const time = await newestBlockTime(rpc.connection);
      if (time === null) throw new Error('the newest block has no time');
      return time - now().getTime() / 1_000;
    },
  });
}

export function createDiskMeter({ config: { storage }, logger }: Pick<Shared, 'config' | 'logger'>): Metric {
  const written = [
    { disk: 'temporary files', path: tmpdir() },
    ...(storage.kind === 'files' ? [{ disk: 'storage', path: storage.directory }] : []),
  ];
  return createReadGauge(logger, {
    name: 'slipway_disk_free_ratio',
    help: 'Share of a disk that this process writes to and can still fill, 0 to 1',
    labelNames: ['disk'],
    read: () =>
      Promise.all(written.map(async ({ disk, path }) => ({ labels: { disk }, value: await freeShareOf(path) }))),
  });
}
