/** Queue of everything a creator waits for. */
export const LAUNCHES_TASK_QUEUE = 'launches';

/** Queue of bulk work that may wait: airdrops, reward rounds, sweeps, buybacks; and of the workflows that watch. */
export const ROUNDS_TASK_QUEUE = 'rounds';

/**
 * Queue of activities alone that nothing may keep waiting: the market index, the janitors, graduation. Each is short or one of
 * its kind, so that it is never full.
 */
export const WATCH_TASK_QUEUE = 'watch';

/**
 * Longest that an activity of that queue waits for somebody to take it. Nobody does where a release that has another queue was
 * current meanwhile: then the round fails, and the next one asks where workers are.
 */
export const WATCH_WAIT = '2 minutes';

/** Every task queue of workflows: the worker polls each within limits of its own. */
export const TASK_QUEUES = [LAUNCHES_TASK_QUEUE, ROUNDS_TASK_QUEUE] as const;

export type TaskQueue = (typeof TASK_QUEUES)[number];
