import type { SlipwayEvent } from '../../client/index.ts';
import type { FollowedEvent } from './event-stream.ts';

/** All that are given must fit. */
export interface EventFilter {
  readonly types: readonly SlipwayEvent['type'][];
  readonly mint?: string;
  readonly wallet?: string;
  readonly creator?: string;
}

const SUBJECTS = ['mint', 'wallet', 'creator'] as const;

/** Null (an event of another release) passes every filter. */
export function passes(event: FollowedEvent | null, { types, ...subjects }: EventFilter): boolean {
  if (event === null) return true;
  if (!types.some((type) => type === event.type)) return false;
  return SUBJECTS.every((subject) => subjects[subject] === undefined || subjects[subject] === event[subject]);
}

/** The narrowest filter that passes all that one of these passes. */
export function unionOf(filters: readonly EventFilter[]): EventFilter {
  const types = [...new Set(filters.flatMap((filter) => filter.types))].sort();
  const common = SUBJECTS.flatMap((subject) => {
    const [value, ...others] = new Set(filters.map((filter) => filter[subject]));
    return value === undefined || others.length > 0 ? [] : [[subject, value] as const];
  });
  return { types, ...Object.fromEntries(common) };
}

export function queryOf({ types, ...subjects }: EventFilter): string {
  return new URLSearchParams({ types: types.join(','), ...subjects }).toString();
}
