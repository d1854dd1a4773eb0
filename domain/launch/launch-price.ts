/** Rent of mint, pool, positions and locks, fees and tip, with room for a busy hour. */
export const BASE_LAMPORTS = 290_000_000n;

/** Highest tip that can be configured, lamports; every price covers it: docs/launch-costs.md. */
export const MOST_TIP_LAMPORTS = 15_000_000;

/** Highest price of a compute unit that can be configured, micro-lamports; every price covers it too. */
export const MOST_PRICE = 5_000_000;
