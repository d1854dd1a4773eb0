import { Counter, type Metric } from 'prom-client';
import { type BundleRelay, BundleSendError } from '../../chain/relay/bundle-relay.ts';

export interface RelayMeter {
  readonly metric: Metric;
  readonly counted: (relay: BundleRelay) => BundleRelay;
}

/** Counts bundles as the response proves: a taken bundle need not land, an unknown one may. */
export function createRelayMeter(): RelayMeter {
  const metric = new Counter({
    name: 'slipway_block_engine_sends_total',
    help: 'Bundles handed to the block engine: taken, refused (nothing was forwarded), or unknown',
    labelNames: ['outcome'],
    registers: [],
  });
  for (const outcome of ['taken', 'refused', 'unknown']) metric.inc({ outcome }, 0);
  return {
    metric,
    counted: (relay) => ({ ...relay, sendBundle: (wires) => countSend(metric, relay, wires) }),
  };
}

async function countSend(metric: Counter, relay: BundleRelay, wires: readonly Uint8Array[]) {
  try {
    const answer = await relay.sendBundle(wires);
    metric.inc({ outcome: 'taken' });
    return answer;
  } catch (error) {
    metric.inc({ outcome: error instanceof BundleSendError ? error.outcome : 'unknown' });
    throw error;
  }
}
