import { createCache } from 'async-cache-dedupe';
import Type, { type Static } from 'typebox';
import type { Paging } from '../../db/paging.ts';
import { count, nullable, record, text } from './fields.ts';

export const PaginationSchema = record({
  page: count('The answered page, from 1'),
  pageSize: count('Entries on a page'),
  total: count('Entries on all pages'),
  totalPages: count('Pages; 0 for an empty list'),
  hasMore: Type.Boolean({
    description:
      'Whether a later page has entries: stop where it is false, because a page behind the last answers the last',
  }),
});

/** Pagination of a list, newest first. */
export const CursorPaginationSchema = record({
  limit: count('Entries at most'),
  hasMore: Type.Boolean({ description: 'Whether there are older ones' }),
  nextCursor: nullable(text('Where they begin; null on the last page')),
});

/** `rows` is read with one more than the limit: it says whether there are older ones. */
export function pageOf<Row>(rows: readonly Row[], limit: number, cursorOf: (last: Row) => string) {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const nextCursor = last === undefined ? null : cursorOf(last);
  return { rows: page, pagination: { limit, hasMore: nextCursor !== null, nextCursor } };
}

export const GrowingPaginationSchema = record(
  {
    limit: count('Entries at most'),
    hasMore: Type.Boolean({ description: 'Whether there are later ones already' }),
    nextCursor: text('Where the next page begins: never null, so that a reader can ask for later entries there'),
  },
  'Where the list goes on',
  'GrowingPagination',
);

export interface Slice<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly pagination: Static<typeof PaginationSchema>;
}

export interface PagedList<Row> {
  readonly count: () => Promise<number>;
  /** `total`: a recent count; null while unknown. */
  readonly list: (paging: Paging, total: number | null) => Promise<Slice<Row>>;
}

/** Reads a page, or the last one if there are fewer. */
export async function readPage<Row>({ page, pageSize }: Paging, { count, list }: PagedList<Row>): Promise<Page<Row>> {
  const first = page === 1 ? list({ page, pageSize }, null) : null;
  const [counted, begun] = await Promise.all([count(), first]);
  const answered = Math.min(page, Math.max(1, Math.ceil(counted / pageSize)));
  const { rows, hasMore } = begun ?? (await list({ page: answered, pageSize }, counted));
  const total = agreeingTotal(counted, (answered - 1) * pageSize + rows.length, hasMore);
  const totalPages = Math.ceil(total / pageSize);
  return { rows, pagination: { page: answered, pageSize, total, totalPages, hasMore: answered < totalPages } };
}

/** The count is slightly older than the page, which corrects it at the end of the list. */
function agreeingTotal(counted: number, seen: number, hasMore: boolean): number {
  return hasMore ? Math.max(counted, seen + 1) : seen;
}

/** Counting costs more than a page: cached, in seconds, for all pages and orders. */
const COUNT_SECONDS = 1;

/** Cached filters. */
const COUNTS = 500;

export function createCounter<Filter extends object>(
  load: (filter: Filter) => Promise<number>,
): (filter: Filter) => Promise<number> {
  const cache = createCache({
    ttl: COUNT_SECONDS,
    storage: { type: 'memory', options: { size: COUNTS } },
  }).define('count', load);
  return (filter) => cache.count(filter);
}
