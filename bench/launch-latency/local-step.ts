import type { History } from '@temporalio/common/lib/proto-utils.js';
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';

type HistoryEvent = NonNullable<History['events']>[number];
type Marker = NonNullable<HistoryEvent['markerRecordedEventAttributes']>;

/** Name of the marker that the SDK's core records of an activity that ran inside of a workflow task. */
const LOCAL_ACTIVITY = 'core_local_activity';

/** What such a marker holds, as far as it is looked at. */
const MarkerSchema = Type.Object({
  activity_type: Type.String(),
  /** By the workflow's clock: its task's start, and the time that each step before took. */
  complete_time: Type.Object({ seconds: Type.Number(), nanos: Type.Number() }),
});

/** The step that ran inside of a workflow task; null for a marker of something else. */
export function localStepOf(marker: Marker): string | null {
  return markerOf(marker)?.activity_type ?? null;
}

/** When it ended, in ms of Unix time by the workflow's clock; null for a marker of something else. */
export function localEndOf(marker: Marker): number | null {
  const time = markerOf(marker)?.complete_time;
  return time ? time.seconds * 1_000 + time.nanos / 1e6 : null;
}

function markerOf({ markerName, details }: Marker): Static<typeof MarkerSchema> | null {
  const data = details?.['data']?.payloads?.[0]?.data;
  if (markerName !== LOCAL_ACTIVITY || !data) return null;
  return Value.Parse(MarkerSchema, JSON.parse(Buffer.from(data).toString('utf8')));
}
