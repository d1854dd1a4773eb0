/** Queue of everything a creator waits for. */
export const LAUNCHES_TASK_QUEUE = 'launches';

/** Queue of bulk work that may wait: airdrops, reward rounds, sweeps, buybacks, the market index. */
export const ROUNDS_TASK_QUEUE = 'rounds';

/** Every task queue: the worker polls each within limits of its own. */
export const TASK_QUEUES = [LAUNCHES_TASK_QUEUE, ROUNDS_TASK_QUEUE] as const;

export type TaskQueue = (typeof TASK_QUEUES)[number];
