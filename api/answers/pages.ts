import { createCache } from 'async-cache-dedupe';
import type { Static } from 'typebox';
import type { Paging } from '../../db/paging.ts';
import { count, record } from './fields.ts';

/** Where in a list an answer stands. */
export const PaginationSchema = record({
  page: count('The answered page, from 1'),
  pageSize: count('Entries on a page'),
  total: count('Entries on all pages'),
  totalPages: count('Pages; 0 for an empty list'),
});

/** A page of a list, as the database reads it. */
export interface Slice<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** A page as it is answered. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly pagination: Static<typeof PaginationSchema>;
}

/** How a list is read: how many entries it has, and a page of them. */
export interface PagedList<Row> {
  readonly count: () => Promise<number>;
  /** `total` is how many entries were counted a moment ago; null where that is not known yet. */
  readonly list: (paging: Paging, total: number | null) => Promise<Slice<Row>>;
}

/** Reads the page that is asked for, or the last one where there are fewer. */
export async function readPage<Row>({ page, pageSize }: Paging, { count, list }: PagedList<Row>): Promise<Page<Row>> {
  const first = page === 1 ? list({ page, pageSize }, null) : null;
  const [counted, begun] = await Promise.all([count(), first]);
  const answered = Math.min(page, Math.max(1, Math.ceil(counted / pageSize)));
  const { rows, hasMore } = begun ?? (await list({ page: answered, pageSize }, counted));
  const total = agreeingTotal(counted, (answered - 1) * pageSize + rows.length, hasMore);
  return { rows, pagination: { page: answered, pageSize, total, totalPages: Math.ceil(total / pageSize) } };
}

/** The count is a moment older than the page: what the page shows of the list's end is truer. */
function agreeingTotal(counted: number, seen: number, hasMore: boolean): number {
  return hasMore ? Math.max(counted, seen + 1) : seen;
}

/** Counting costs more than a page: each count is kept for a second, for all pages and orders of a list. In seconds. */
const COUNT_SECONDS = 1;

/** Filters whose counts are kept at once. */
const COUNTS = 500;

/** Collapses and keeps counts by filter. */
export function createCounter<Filter extends object>(
  load: (filter: Filter) => Promise<number>,
): (filter: Filter) => Promise<number> {
  const cache = createCache({
    ttl: COUNT_SECONDS,
    storage: { type: 'memory', options: { size: COUNTS } },
  }).define('count', load);
  return (filter) => cache.count(filter);
}
