import { AppError } from '../../../domain/errors.ts';

const RETRY_AFTER_SECONDS = 2;

export type DecodeQueue = <T>(decode: () => Promise<T>) => Promise<T>;

/**
 * Decodes `atOnce` at a time. Throws an AppError `service_unavailable` if `mostWaiting` wait: pictures cannot take the
 * service.
 */
export function createDecodeQueue({ atOnce, mostWaiting }: { atOnce: number; mostWaiting: number }): DecodeQueue {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function place(): Promise<void> {
    if (waiting.length >= mostWaiting) throw tooMany();
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    await promise;
  }

  return async (decode) => {
    if (running >= atOnce) await place();
    else running += 1;
    try {
      return await decode();
    } finally {
      // To the next in line.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

function tooMany(): AppError {
  return new AppError('service_unavailable', 'too many logos are being checked at once; try again in a moment', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
