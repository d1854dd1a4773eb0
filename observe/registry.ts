import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';

/** A registry of a process's own: its figures (CPU, memory, event loop) and these meters. */
export function createRegistry(meters: readonly Metric[]): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const meter of meters) registry.registerMetric(meter);
  return registry;
}
