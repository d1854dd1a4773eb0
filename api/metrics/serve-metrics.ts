import type { FastifyBaseLogger } from 'fastify';
import type { Metric } from 'prom-client';
import type { ApiConfig } from '../../config/api.ts';
import { type HealthServer, startHealthServer } from '../../observe/health-server.ts';
import { readinessOf } from '../../observe/readiness.ts';
import { createRegistry } from '../../observe/registry.ts';
import type { ReadinessProbe } from '../health/readiness.ts';

export interface MetricsParts {
  readonly metrics: readonly Metric[];
  /** For `/readyz` on this port, with reasons. */
  readonly probes: readonly ReadinessProbe[];
  readonly logger: FastifyBaseLogger;
}

/** Time after which a probe is cancelled, ms. */
const PROBE_TIMEOUT_MS = 2_000;

/** Serves `/metrics` on its own port, inside the deployment. Null if not configured. */
export async function serveMetrics(
  { metrics: address, instanceId }: Pick<ApiConfig, 'metrics' | 'instanceId'>,
  { metrics, probes, logger }: MetricsParts,
): Promise<HealthServer | null> {
  if (address === null) return null;
  const registry = createRegistry(metrics);
  const checks = Object.fromEntries(
    probes.map((probe) => [probe.name, async () => void (await probe.check(AbortSignal.timeout(PROBE_TIMEOUT_MS)))]),
  );
  const server = await startHealthServer({
    ...address,
    instanceId,
    readiness: () => readinessOf(checks),
    metrics: () => registry.metrics(),
    logger,
  });
  logger.info({ port: server.port }, 'metrics are served');
  return server;
}
