import type { Request } from '../../../client/index.ts';

export type TokenFilter = NonNullable<Request<'GET /tokens'>['query']>;

const PAGE_SIZE = 24;

const SORTS = ['marketCap', 'newest', 'volume'] as const;
const MODES = ['standard', 'reward'] as const;
const STATUSES = ['new', 'aboutToGraduate', 'graduated'] as const;

function oneOf<T extends string>(values: readonly T[], text: string | null): T | undefined {
  return values.find((value) => value === text);
}

const PLAIN_AMOUNT = /^\d{1,15}(\.\d{1,6})?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

function amountOf(text: string | null): number | undefined {
  return text !== null && PLAIN_AMOUNT.test(text) ? Number(text) : undefined;
}

/** A UTC day begins at midnight. */
function beginningOf(day: string | null): string | undefined {
  return day !== null && DAY.test(day) && isDay(day) ? `${day}T00:00:00Z` : undefined;
}

/** Date.parse takes the 31st of February for a day in March. */
function isDay(day: string): boolean {
  const time = Date.parse(day);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(day);
}

export function filterOf(search: URLSearchParams): TokenFilter {
  const page = Number(search.get('page') ?? 1);
  return {
    minMarketCapUsd: amountOf(search.get('minMarketCapUsd')),
    maxMarketCapUsd: amountOf(search.get('maxMarketCapUsd')),
    minVolume24hUsd: amountOf(search.get('minVolume24hUsd')),
    createdAfter: beginningOf(search.get('createdAfter')),
    createdBefore: beginningOf(search.get('createdBefore')),
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

export function withFilter(before: URLSearchParams, changed: Readonly<Record<string, string>>): URLSearchParams {
  const search = new URLSearchParams(before);
  search.delete('page');
  for (const [key, value] of Object.entries(changed)) {
    if (value === '') search.delete(key);
    else search.set(key, value);
  }
  return search;
}
