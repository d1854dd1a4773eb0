/** Queue of everything a creator waits for. */
export const LAUNCHES_TASK_QUEUE = 'launches';

/** Queue of bulk work that may wait: airdrops, reward rounds, sweeps, buybacks, the market index. */
export const ROUNDS_TASK_QUEUE = 'rounds';

export type TaskQueue = typeof LAUNCHES_TASK_QUEUE | typeof ROUNDS_TASK_QUEUE;
