import type { Client } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { sizeOf } from '../calls/launches.ts';

export interface WorkflowRuns {
  readonly runs: number;
  readonly activities: number;
  readonly events: number;
  readonly seconds: Readonly<Record<string, number>>;
}

export async function runsOf(client: Client, workflowId: string): Promise<WorkflowRuns> {
  const histories: History[] = [];
  const handle = client.workflow.getHandle(workflowId);
  let runId: string | null | undefined = (await handle.describe()).runId;
  for (; runId; runId = continuedFrom(histories[0]!)) {
    histories.unshift(await client.workflow.getHandle(workflowId, runId).fetchHistory());
  }
  const sizes = histories.map(sizeOf);
  return {
    runs: histories.length,
    activities: sizes.reduce((sum, { activities }) => sum + activities, 0),
    events: Math.max(...sizes.map(({ events }) => events)),
    seconds: secondsOf(histories),
  };
}

function continuedFrom({ events }: History): string | null | undefined {
  return events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
}

function secondsOf(histories: readonly History[]): Record<string, number> {
  const spans = new Map<string, { from: number; to: number }>();
  for (const { events } of histories) {
    const names = new Map<string, string>();
    for (const { eventId, eventTime, ...event } of events ?? []) {
      const at = Number(eventTime?.seconds ?? 0) + Number(eventTime?.nanos ?? 0) / 1e9;
      const name = event.activityTaskScheduledEventAttributes?.activityType?.name;
      if (name) {
        names.set(String(eventId), name);
        if (!spans.has(name)) spans.set(name, { from: at, to: at });
      }
      const ended = names.get(String(event.activityTaskCompletedEventAttributes?.scheduledEventId));
      const span = ended === undefined ? undefined : spans.get(ended);
      if (span) span.to = at;
    }
  }
  return Object.fromEntries([...spans].map(([name, { from, to }]) => [name, Math.round((to - from) * 10) / 10]));
}
