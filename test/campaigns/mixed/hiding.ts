import { setTimeout as sleep } from 'node:timers/promises';
import Type from 'typebox';
import { Check } from 'typebox/value';

/** What is missing in the histories of an endpoint: every third signature, or all of some slots. */
export type Hidden = 'single' | 'range';

/** An endpoint that hides signatures of addresses, and answers everything else as it is. */
export interface Hiding {
  /** Hides for so many ms. */
  readonly forAWhile: (what: Hidden, ms: number) => Promise<void>;
  /** What it makes of an answer. */
  readonly twist: (method: string, result: unknown) => unknown;
}

const HistorySchema = Type.Array(Type.Object({ signature: Type.String(), slot: Type.Integer() }));
type Entry = Type.Static<typeof HistorySchema>[number];

/** Of the slots that end in these digits nothing is shown. */
const HIDDEN_SLOTS = { modulus: 100, below: 40 };

const HIDES: Readonly<Record<Hidden, (entry: Entry) => boolean>> = {
  single: ({ signature }) => signature.charCodeAt(10) % 3 === 0,
  range: ({ slot }) => slot % HIDDEN_SLOTS.modulus < HIDDEN_SLOTS.below,
};

export function createHiding(): Hiding {
  let hidden: Hidden | null = null;
  return {
    forAWhile: async (what, ms) => {
      hidden = what;
      await sleep(ms);
      hidden = null;
    },
    twist: (method, result) => {
      if (hidden === null || method !== 'getSignaturesForAddress' || !Check(HistorySchema, result)) return result;
      const hides = HIDES[hidden];
      return result.filter((entry) => !hides(entry));
    },
  };
}
