import type { History } from '@temporalio/common/lib/proto-utils.js';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const HISTORIES = join(import.meta.dirname, '../fixtures/histories');

/** One recorded run of a workflow, as dev/record-histories.ts wrote it. */
export interface RecordedHistory {
  readonly workflowType: string;
  readonly name: string;
  readonly read: () => unknown;
}

/** Every recorded history, by workflow type. */
export function recordedHistories(): RecordedHistory[] {
  if (!existsSync(HISTORIES)) return [];
  return readdirSync(HISTORIES).flatMap((workflowType) =>
    readdirSync(join(HISTORIES, workflowType)).map((file) => ({
      workflowType,
      name: file.replace(/\.json$/, ''),
      read: () => JSON.parse(readFileSync(join(HISTORIES, workflowType, file), 'utf8')) as unknown,
    })),
  );
}

/** Name of the marker of an activity that ran inside of a workflow task, and where it has the activity's name. */
const [LOCAL_ACTIVITY, NAME] = ['core_local_activity', /"activity_type":"[^"]+"/];

/** The same run, as code would have recorded it that calls other activities. */
export function withOtherActivities(history: History): History {
  for (const event of history.events ?? []) {
    const type = event.activityTaskScheduledEventAttributes?.activityType;
    if (type) type.name = 'somethingElse';
    const marker = event.markerRecordedEventAttributes;
    if (marker?.markerName !== LOCAL_ACTIVITY) continue;
    for (const payload of marker.details?.['data']?.payloads ?? []) {
      const text = Buffer.from(payload.data ?? []).toString('utf8');
      payload.data = new Uint8Array(Buffer.from(text.replace(NAME, '"activity_type":"somethingElse"')));
    }
  }
  return history;
}
