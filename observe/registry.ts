import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';

export function createRegistry(meters: readonly Metric[]): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const meter of meters) registry.registerMetric(meter);
  return registry;
}
