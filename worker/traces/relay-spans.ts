import { BundleSendError, type BundleRelay } from '../../chain/relay/bundle-relay.ts';
import { inSpan, type OpenSpan, type SpanFields, type Traces } from '../../observe/traces/traces.ts';

/** The same relay, with a span for each call to the block engine that a traced step makes. */
export function tracedRelay(relay: BundleRelay, traces: Traces | null): BundleRelay {
  if (traces === null) return relay;
  return {
    ...relay,
    sendBundle: (wires) =>
      asPart(traces, 'block engine sendBundle', { transactions: wires.length }, async (span) => {
        try {
          const answer = await relay.sendBundle(wires);
          span?.set({ bundleId: answer.bundleId, outcome: 'taken' });
          return answer;
        } catch (error) {
          span?.set({ outcome: error instanceof BundleSendError ? error.outcome : 'unknown' });
          throw error;
        }
      }),
    tipAccounts: () => asPart(traces, 'block engine getTipAccounts', {}, () => relay.tipAccounts()),
  };
}

/** Runs work in a span where it is part of one. */
function asPart<T>(
  traces: Traces,
  name: string,
  fields: SpanFields,
  work: (span: OpenSpan | null) => Promise<T>,
): Promise<T> {
  if (traces.current() === null) return work(null);
  const span = traces.begin(name, { kind: 'client', fields });
  return inSpan(span, () => work(span));
}
