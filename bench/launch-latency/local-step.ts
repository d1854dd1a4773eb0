import type { History } from '@temporalio/common/lib/proto-utils.js';
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';

type HistoryEvent = NonNullable<History['events']>[number];
type Marker = NonNullable<HistoryEvent['markerRecordedEventAttributes']>;

/** Of local activities, in the SDK's core. */
const LOCAL_ACTIVITY = 'core_local_activity';

const MarkerSchema = Type.Object({
  activity_type: Type.String(),
  complete_time: Type.Object({ seconds: Type.Number(), nanos: Type.Number() }),
});

export function localStepOf(marker: Marker): string | null {
  return markerOf(marker)?.activity_type ?? null;
}

/** Unix ms; null for other markers. */
export function localEndOf(marker: Marker): number | null {
  const time = markerOf(marker)?.complete_time;
  return time ? time.seconds * 1_000 + time.nanos / 1e6 : null;
}

function markerOf({ markerName, details }: Marker): Static<typeof MarkerSchema> | null {
  const data = details?.['data']?.payloads?.[0]?.data;
  if (markerName !== LOCAL_ACTIVITY || !data) return null;
  return Value.Parse(MarkerSchema, JSON.parse(Buffer.from(data).toString('utf8')));
}
