/** How long a slot takes by the cluster's own aim, ms. */
const SLOT_MS = 400;

/** Fewer slots than these say nothing about the chain's pace. */
const TELLING_SLOTS = 50;

/** Paces that are believed, ms per slot: a chain that stood still is no slow one. */
const [FASTEST_MS, SLOWEST_MS] = [20, 800];

/** Shortest wait, ms. */
const SHORTEST_MS = 200;

/** What the chain did since a moment: so many slots in so many ms. */
export interface PassedSlots {
  readonly slots: number;
  readonly ms: number;
}

/** What is waited for longer than the pace says: a slot of which a part of a second is over, the head's age, and a pace that changes. */
const MARGIN = { slots: 2, percent: 1 } as const;

/**
 * How long to wait until so many more slots are almost certainly over, ms: at the pace of those that passed, where they are enough
 * to tell it. Who looks too early has to look once more, which costs a step of a workflow.
 */
export function waitForSlots(slots: number, { slots: passed, ms }: PassedSlots): number {
  const pace = passed < TELLING_SLOTS ? SLOT_MS : Math.min(SLOWEST_MS, Math.max(FASTEST_MS, ms / passed));
  return Math.max(SHORTEST_MS, Math.ceil((slots * (1 + MARGIN.percent / 100) + MARGIN.slots) * pace));
}
