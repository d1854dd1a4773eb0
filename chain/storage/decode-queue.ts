import { AppError } from '../../domain/errors.ts';

/** Images decoded at once: each takes a core and the memory of its pixels. */
const AT_ONCE = 2;

/** Images that may wait for it; whoever comes later is told to come back. */
const MOST_WAITING = 30;

const RETRY_AFTER_SECONDS = 2;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs a decoding when one of two places is free, in the order of asking. Throws an AppError `service_unavailable` where thirty
 * wait already: a crowd of images must not take the process from everybody else.
 */
export async function inDecodeQueue<T>(decode: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await place();
  else running += 1;
  try {
    return await decode();
  } finally {
    // The place goes to the next in line, or is free.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

async function place(): Promise<void> {
  if (waiting.length >= MOST_WAITING) {
    throw new AppError('service_unavailable', 'too many logos are being checked at once; try again in a moment', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  await promise;
}
