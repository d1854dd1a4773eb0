/** Target, ms. */
const SLOT_MS = 400;

/** Slots needed to tell the pace. */
const TELLING_SLOTS = 50;

/** Bounds of the pace, ms a slot: a halted chain is not a slow one. */
const [FASTEST_MS, SLOWEST_MS] = [20, 800];

/** ms. */
const SHORTEST_MS = 200;

export interface PassedSlots {
  readonly slots: number;
  readonly ms: number;
}

/** Margin for the slot in progress, the head's age, a changing pace. */
const MARGIN = { slots: 2, percent: 1 } as const;

/**
 * Returns the wait, ms, until so many slots have almost certainly passed, at the observed pace. Waking early costs a
 * workflow step.
 */
export function waitForSlots(slots: number, { slots: passed, ms }: PassedSlots): number {
  const pace = passed < TELLING_SLOTS ? SLOT_MS : Math.min(SLOWEST_MS, Math.max(FASTEST_MS, ms / passed));
  return Math.max(SHORTEST_MS, Math.ceil((slots * (1 + MARGIN.percent / 100) + MARGIN.slots) * pace));
}
