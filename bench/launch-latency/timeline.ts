import type { History } from '@temporalio/common/lib/proto-utils.js';
import { localEndOf, localStepOf } from './local-step.ts';

export interface StepTime {
  readonly name: string;
  readonly waitMs: number;
  readonly runMs: number;
}

/** The parts add up. */
export interface LaunchTimeline {
  readonly intakeMs: number;
  readonly steps: readonly StepTime[];
  readonly verdictMs: number;
  readonly answerMs: number;
}

type HistoryEvent = NonNullable<History['events']>[number];

/**
 * @param from the submit, Unix ms
 * @param to the response, same clock
 * @throws without a verdict
 */
export function timelineOf(history: History, from: number, to: number): LaunchTimeline {
  const events = history.events ?? [];
  const startedAt = timeOf(mustFind(events, (event) => event.workflowExecutionStartedEventAttributes));
  const verdictAt = timeOf(mustFind(events, (event) => event.workflowExecutionUpdateCompletedEventAttributes));
  const steps: StepTime[] = [];
  let previousEnd = startedAt;
  for (const { name, begin, end } of finishedSteps(events).filter((step) => step.end <= verdictAt)) {
    steps.push({ name, waitMs: begin - previousEnd, runMs: end - begin });
    previousEnd = end;
  }
  return { intakeMs: startedAt - from, steps, verdictMs: verdictAt - previousEnd, answerMs: to - verdictAt };
}

interface FinishedStep {
  readonly name: string;
  readonly begin: number;
  readonly end: number;
}

function finishedSteps(events: readonly HistoryEvent[]): FinishedStep[] {
  const byId = new Map(events.map((event) => [String(event.eventId), event]));
  const steps: FinishedStep[] = [];
  let clock = 0;
  for (const event of events) {
    if (event.workflowTaskStartedEventAttributes) clock = timeOf(event);
    const local = localIn(event);
    if (local) {
      steps.push({ name: local.name, begin: clock, end: local.end });
      clock = local.end;
    }
    const completed = event.activityTaskCompletedEventAttributes;
    if (completed)
      steps.push(activityOf(event, String(completed.scheduledEventId), String(completed.startedEventId), byId));
  }
  return steps;
}

function localIn({ markerRecordedEventAttributes: marker }: HistoryEvent): { name: string; end: number } | null {
  const [name, end] = marker ? [localStepOf(marker), localEndOf(marker)] : [null, null];
  return name === null || end === null ? null : { name, end };
}

function activityOf(
  event: HistoryEvent,
  scheduledId: string,
  startedId: string,
  byId: ReadonlyMap<string, HistoryEvent>,
): FinishedStep {
  const scheduled = byId.get(scheduledId)?.activityTaskScheduledEventAttributes;
  const started = byId.get(startedId);
  if (!scheduled || !started) throw new Error(`event ${String(event.eventId)} ends an activity that never began`);
  return { name: scheduled.activityType?.name ?? '', begin: timeOf(started), end: timeOf(event) };
}

function mustFind(events: readonly HistoryEvent[], kind: (event: HistoryEvent) => unknown): HistoryEvent {
  const found = events.find((event) => kind(event));
  if (!found) throw new Error(`a history of ${events.length} events has no start or no verdict`);
  return found;
}

/** Unix ms, with nanoseconds. */
function timeOf({ eventId, eventTime }: HistoryEvent): number {
  if (!eventTime) throw new Error(`event ${String(eventId)} has no time`);
  return Number(eventTime.seconds ?? 0) * 1_000 + (eventTime.nanos ?? 0) / 1e6;
}
