/** Base price of a launch, lamports: rent of mint, pool, positions and locks, fees and tip, with room for a busy hour. */
export const BASE_LAMPORTS = 290_000_000n;

/** Most that a tip may be set to, lamports, so that the price of every launch covers it: docs/launch-costs.md. */
export const MOST_TIP_LAMPORTS = 15_000_000;

/** The same of the priority fee, micro-lamports per compute unit. */
export const MOST_PRICE = 5_000_000;
