import { BundleSendError, type BundleRelay } from '../../chain/relay/bundle-relay.ts';
import { inPart, type SpanFields, type SpanStart, type Traces } from '../../observe/traces/traces.ts';

export function tracedRelay(relay: BundleRelay, traces: Traces | null): BundleRelay {
  if (traces === null) return relay;
  return {
    ...relay,
    sendBundle: (wires) =>
      inPart(traces, 'block engine sendBundle', call({ transactions: wires.length }), async (span) => {
        try {
          const answer = await relay.sendBundle(wires);
          span?.set({ bundleId: answer.bundleId, outcome: 'taken' });
          return answer;
        } catch (error) {
          span?.set({ outcome: error instanceof BundleSendError ? error.outcome : 'unknown' });
          throw error;
        }
      }),
    tipAccounts: () => inPart(traces, 'block engine getTipAccounts', call({}), () => relay.tipAccounts()),
  };
}

const call = (fields: SpanFields): SpanStart => ({ kind: 'client', fields });
