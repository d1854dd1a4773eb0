import type { EventType } from './event-types.ts';

/** A reader has seen everything up to here. */
export interface EventPlace {
  /** Of the log; another one after a restore. */
  readonly generation: number;
  readonly xid: bigint;
  readonly id: bigint;
  /** UTC day since 1970 of the place; later events lie at most a day before. */
  readonly day: number;
}

export interface StoredEvent {
  readonly place: EventPlace;
  readonly at: Date;
  readonly type: EventType;
  readonly mint: string | null;
  readonly wallet: string | null;
  readonly creator: string | null;
  /** A schema parses it. */
  readonly body: unknown;
}

/** Filters; several are combined. */
export interface EventFilter {
  readonly types?: readonly EventType[] | undefined;
  readonly mint?: string | undefined;
  readonly wallet?: string | undefined;
  readonly creator?: string | undefined;
}

/** Whether an event passes a filter, as the database decides it. */
export function matches(event: StoredEvent, { types, mint, wallet, creator }: EventFilter): boolean {
  if (types !== undefined && !types.includes(event.type)) return false;
  if (mint !== undefined && event.mint !== mint) return false;
  if (wallet !== undefined && event.wallet !== wallet) return false;
  return creator === undefined || event.creator === creator;
}
