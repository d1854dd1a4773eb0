/** Event types by subject, the first word. The triggers write exactly these. */
export const EVENT_TYPES = [
  'launch.processing',
  'launch.completed',
  'launch.not_charged',
  'launch.refunded',
  'launch.needs_recovery',
  'token.launched',
  'token.graduated',
  'token.withdrawn',
  'trade.confirmed',
  'trade.final',
  'trade.withdrawn',
  'round.observed',
  'round.divided',
  'round.paid',
  'payout.paid',
  'claim.paid',
  'harvest',
  'burn',
  'buyback',
  'airdrop.delivered',
  'pair.added',
  'pair.retired',
  'switch.changed',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export type EventSubject = EventType extends infer Type
  ? Type extends `${infer Subject}.${string}`
    ? Subject
    : Type
  : never;

/** @throws RangeError for a type of another release */
export function eventTypeOf(text: string): EventType {
  const type = EVENT_TYPES.find((known) => known === text);
  if (type === undefined) throw new RangeError(`"${text}" is no type of event`);
  return type;
}
