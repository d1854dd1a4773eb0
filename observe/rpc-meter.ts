import { Histogram, type Metric } from 'prom-client';

/** Labels: few values. */
export interface CountedCall {
  readonly host: string;
  readonly method: string;
  readonly outcome: string;
  readonly seconds: number;
}

export interface RpcMeter {
  readonly metric: Metric;
  readonly called: (call: CountedCall) => void;
}

export function createRpcMeter(name: string): RpcMeter {
  const metric = new Histogram({
    name,
    help: 'Calls to RPC endpoints by method, host and outcome, with how long their answers took to begin',
    labelNames: ['method', 'endpoint', 'outcome'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10],
    registers: [],
  });
  return {
    metric,
    called: ({ method, host, outcome, seconds }) => {
      metric.observe({ method, endpoint: host, outcome }, seconds);
    },
  };
}
