import type { Lanes } from '../../activities/money/lanes.ts';
import { inPart, type Traces } from '../../observe/traces/traces.ts';

export function tracedLanes(lanes: Lanes, traces: Traces | null): Lanes {
  if (traces === null) return lanes;
  return {
    ...lanes,
    follow: (followed) => {
      const { signature, lane } = followed;
      return inPart(traces, 'movement', { fields: { signature, lane } }, async (span) => {
        const outcome = await lanes.follow(followed);
        span?.set({ outcome: outcome.kind });
        return outcome;
      });
    },
  };
}
