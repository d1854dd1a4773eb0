import { UNCHANGED_SECONDS } from '../../../api/envelope.ts';

/**
 * Asks until question and answer fall into one period of the ETag: after its end an unchanged response is sent again,
 * with its new time.
 */
export async function withinOnePeriod<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const period = currentPeriod();
    const answer = await ask();
    if (currentPeriod() === period) return answer;
  }
}

function currentPeriod(): number {
  return Math.floor(Date.now() / (UNCHANGED_SECONDS * 1_000));
}
