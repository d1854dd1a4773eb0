import { answersOf, type EndpointSet } from './endpoints.ts';
import { PerformanceShape } from './shapes.ts';

/** Target time of a block, ms, and upper limit of the result. */
const TARGET_MS = 400;

/** One minute each. */
const SAMPLES = 5;

const KEPT_MS = 10_000;

export interface BlockPace {
  /**
   * Shortest block time of the last minutes by a quorum, ms; 400 without one. Blocks come no faster than slots: a
   * skipped slot has none.
   */
  blockMs(): Promise<number>;
}

export function createBlockPace(endpoints: EndpointSet, now: () => number): BlockPace {
  let kept: { readonly at: number; readonly pace: Promise<number> } | undefined;
  return {
    blockMs() {
      if (kept === undefined || now() - kept.at >= KEPT_MS) kept = { at: now(), pace: measuredBlockMs(endpoints) };
      return kept.pace;
    },
  };
}

async function measuredBlockMs(endpoints: EndpointSet): Promise<number> {
  const replies = await endpoints.promptReplies(async (endpoint) =>
    fastestOf(await endpoint.call('getRecentPerformanceSamples', [SAMPLES], PerformanceShape)),
  );
  // A single endpoint can neither shorten nor lengthen the quorum-th fastest.
  const measured = answersOf(replies).toSorted((a, b) => a - b)[endpoints.quorum - 1];
  return Math.min(TARGET_MS, measured ?? TARGET_MS);
}

interface PerformanceSample {
  readonly numSlots: number;
  readonly samplePeriodSecs: number;
}

function fastestOf(samples: readonly PerformanceSample[]): number {
  const counted = samples.filter(({ numSlots }) => numSlots > 0);
  return Math.min(...counted.map(({ numSlots, samplePeriodSecs }) => (samplePeriodSecs * 1_000) / numSlots));
}
