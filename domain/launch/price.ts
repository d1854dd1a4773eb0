/** Base price of a launch, in lamports: rent of mint, pool, positions and locks, fees and tip, with room for a busy hour. */
export const BASE_LAMPORTS = 290_000_000n;
