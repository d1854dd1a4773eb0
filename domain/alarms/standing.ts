import { filledIn } from './alarm.ts';
import { type AlarmName, ALARM_NAMES, ALARMS } from './alarms.ts';
import { judge, type Met, type Sample } from './judge.ts';

/** An alarm whose condition holds, in words. */
export interface StandingAlarm {
  readonly alert: AlarmName;
  readonly labels: Met['labels'];
  readonly what: string;
  readonly command: string;
}

/**
 * Judges every alarm by samples of metrics pages.
 *
 * @param nowSeconds Unix time
 */
export function standingAlarms(samples: readonly Sample[], nowSeconds: number): StandingAlarm[] {
  return ALARM_NAMES.flatMap((alert) => {
    const { when, line, command, unit } = ALARMS[alert];
    return judge(when, samples, nowSeconds).map(({ labels, value }) => ({
      alert,
      labels,
      what: filledIn(line, labels, { value, unit }),
      command: filledIn(command, labels, { value, unit }),
    }));
  });
}
