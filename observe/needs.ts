import { filledIn } from '../domain/alarms/alarm.ts';
import { type AlarmName, ALARM_NAMES, ALARMS } from '../domain/alarms/alarms.ts';
import { judge, type Sample, samplesOf } from '../domain/alarms/judge.ts';

/** Work for a person, by the figures of this process alone. */
export interface Need {
  readonly alert: AlarmName;
  readonly what: string;
  readonly command: string;
}

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
          known = needsOf(samplesOf(text, ''), now() / 1_000);
        },
        () => undefined, // The page's own readers see why.
      );
    }
    return known;
  };
}

function needsOf(samples: readonly Sample[], nowSeconds: number): Need[] {
  return ALARM_NAMES.flatMap((alert) => {
    const { when, line, command, unit } = ALARMS[alert];
    return judge(when, samples, nowSeconds).map(({ labels, value }) => ({
      alert,
      what: filledIn(line, labels, { value, unit }),
      command: filledIn(command, labels, { value, unit }),
    }));
  });
}
