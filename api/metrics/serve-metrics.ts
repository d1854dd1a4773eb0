import type { FastifyBaseLogger } from 'fastify';
import type { Metric } from 'prom-client';
import type { ApiConfig } from '../../config/api.ts';
import { type HealthServer, startHealthServer } from '../../observe/health-server.ts';
import { readinessOf } from '../../observe/readiness.ts';
import { createRegistry } from '../../observe/registry.ts';
import type { ReadinessProbe } from '../health/readiness.ts';

/** What the page is made of. */
export interface MetricsParts {
  readonly metrics: readonly Metric[];
  /** What `/readyz` of this port asks: the same as that of the public one, with the reasons. */
  readonly probes: readonly ReadinessProbe[];
  readonly logger: FastifyBaseLogger;
}

/** When a probe that nobody waits for any more gives up, in ms. */
const PROBE_TIMEOUT_MS = 2_000;

/** Serves `/metrics` on a port of its own, for Prometheus inside the deployment. Null where the configuration names none. */
export async function serveMetrics(
  { metrics: address }: Pick<ApiConfig, 'metrics'>,
  { metrics, probes, logger }: MetricsParts,
): Promise<HealthServer | null> {
  if (address === null) return null;
  const registry = createRegistry(metrics);
  const checks = Object.fromEntries(
    probes.map((probe) => [probe.name, async () => void (await probe.check(AbortSignal.timeout(PROBE_TIMEOUT_MS)))]),
  );
  const server = await startHealthServer({
    ...address,
    readiness: () => readinessOf(checks),
    metrics: () => registry.metrics(),
    logger,
  });
  logger.info({ port: server.port }, 'metrics are served');
  return server;
}
