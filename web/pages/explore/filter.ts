import type { Request } from '../../../client/index.ts';

/** What the list is asked with. */
export type TokenFilter = NonNullable<Request<'GET /tokens'>['query']>;

const PAGE_SIZE = 24;

const SORTS = ['marketCap', 'newest', 'volume'] as const;
const MODES = ['standard', 'reward'] as const;
const STATUSES = ['new', 'aboutToGraduate', 'graduated'] as const;

function oneOf<T extends string>(values: readonly T[], text: string | null): T | undefined {
  return values.find((value) => value === text);
}

/** Reads a filter out of the address; what it does not know is left out. */
export function filterOf(search: URLSearchParams): TokenFilter {
  const page = Number(search.get('page') ?? 1);
  return {
    q: search.get('q') ?? undefined,
    sort: oneOf(SORTS, search.get('sort')) ?? 'marketCap',
    mode: oneOf(MODES, search.get('mode')),
    status: oneOf(STATUSES, search.get('status')),
    quoteMint: search.get('quoteMint') ?? undefined,
    category: search.get('category') ?? undefined,
    page: Number.isInteger(page) && page > 0 ? page : 1,
    pageSize: PAGE_SIZE,
  };
}

/** The address with some of its filter changed; whatever changes, the list begins with its first page. */
export function withFilter(before: URLSearchParams, changed: Readonly<Record<string, string>>): URLSearchParams {
  const search = new URLSearchParams(before);
  search.delete('page');
  for (const [key, value] of Object.entries(changed)) {
    if (value === '') search.delete(key);
    else search.set(key, value);
  }
  return search;
}
