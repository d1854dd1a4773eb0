import { samplesOf } from '../domain/alarms/judge.ts';
import { type StandingAlarm, standingAlarms } from '../domain/alarms/standing.ts';

/** Work for a person, by the figures of this process alone. */
export type Need = Omit<StandingAlarm, 'labels'>;

/** A page costs queries; Prometheus reads it as often. */
const EVERY_MS = 15_000;

/**
 * Returns what was last known, at once, and renews it in the background: a probe must not wait for a page that waits for
 * a database.
 */
export function createNeeds(page: () => Promise<string>, now: () => number = Date.now): () => readonly Need[] {
  let known: readonly Need[] = [];
  let askedAt = -Infinity;
  return () => {
    if (now() - askedAt >= EVERY_MS) {
      askedAt = now();
      page().then(
        (text) => {
          const standing = standingAlarms(samplesOf(text, ''), now() / 1_000);
          known = standing.map(({ alert, what, command }) => ({ alert, what, command }));
        },
        () => undefined, // The page's own readers see why.
      );
    }
    return known;
  };
}
