/** Queue for work that a creator waits for. */
export const LAUNCHES_TASK_QUEUE = 'launches';

/** Queue for work that may wait, and for the workflows of the watch queue's activities. */
export const ROUNDS_TASK_QUEUE = 'rounds';

/**
 * Queue for work that must not wait behind bulk work: market index, janitors, graduation. Its activities are short, or
 * one of a kind.
 */
export const WATCH_TASK_QUEUE = 'watch';

/**
 * Maximum wait in the watch queue: a release with another queue may have been current. The round then fails, and the
 * next one reaches the current workers.
 */
export const WATCH_WAIT = '2 minutes';

/** Queue that follows a launch until it landed, without a slot; unpaid launches wait only here. */
export const LANDINGS_TASK_QUEUE = 'landings';

/** Queue of webhooks, without slots: a receiver can take its whole timeout to respond. */
export const WEBHOOKS_TASK_QUEUE = 'webhooks';

/** Queues with workflows, each polled within its own limits. */
export const TASK_QUEUES = [LAUNCHES_TASK_QUEUE, ROUNDS_TASK_QUEUE] as const;

export type TaskQueue = (typeof TASK_QUEUES)[number];

/** Queues without workflows. */
export const ACTIVITY_QUEUES = [WATCH_TASK_QUEUE, LANDINGS_TASK_QUEUE, WEBHOOKS_TASK_QUEUE] as const;

export type ActivityQueue = (typeof ACTIVITY_QUEUES)[number];
