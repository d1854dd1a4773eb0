import type { CountedCall, RpcMeter } from '../rpc-meter.ts';
import type { Traces } from './traces.ts';

export function callListener(meter: RpcMeter, traces: Traces | null): (call: CountedCall) => void {
  if (traces === null) return meter.called;
  return (call) => {
    meter.called(call);
    recordCall(traces, call);
  };
}

export function recordCall(traces: Traces, { host, method, outcome, seconds }: CountedCall): void {
  const parent = traces.current();
  if (parent === null) return;
  traces.ended(`rpc ${method}`, {
    parent,
    kind: 'client',
    startedAt: Date.now() - seconds * 1_000,
    fields: { 'rpc.system': 'jsonrpc', 'rpc.method': method, 'server.address': host, outcome },
    failure: outcome === 'answered' ? undefined : outcome,
  });
}
