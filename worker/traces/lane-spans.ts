import type { Lanes } from '../../activities/money/lanes.ts';
import { inSpan, type Traces } from '../../observe/traces/traces.ts';

/** The same lanes, with a span for each movement of money that a traced step follows, from its first send to its end. */
export function tracedLanes(lanes: Lanes, traces: Traces | null): Lanes {
  if (traces === null) return lanes;
  return {
    ...lanes,
    follow: (followed) => {
      if (traces.current() === null) return lanes.follow(followed);
      const { signature, lane } = followed;
      const span = traces.begin('movement', { fields: { signature, lane } });
      return inSpan(span, async () => {
        const outcome = await lanes.follow(followed);
        span.set({ outcome: outcome.kind });
        return outcome;
      });
    },
  };
}
