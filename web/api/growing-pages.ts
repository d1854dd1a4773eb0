export interface GrowingPage {
  readonly pagination: { readonly hasMore: boolean; readonly nextCursor: string };
}

export interface GrowingQuery {
  readonly limit: number;
  readonly cursor?: string;
}

const LIMIT = 100;

/** A reader asks for more by hand. */
export const PAGES_AT_ONCE = 10;

/** Reads a list that only grows. A page with a next one never changes, so it is read once. */
export function growingPages<Page extends GrowingPage>(
  ask: (query: GrowingQuery, signal: AbortSignal) => Promise<Page>,
): (most: number, signal: AbortSignal) => Promise<readonly Page[]> {
  const full: Page[] = [];
  return async (most, signal) => {
    while (full.length < most) {
      const place = full.length;
      const cursor = full.at(-1)?.pagination.nextCursor;
      const page = await ask({ limit: LIMIT, ...(cursor !== undefined && { cursor }) }, signal);
      if (!page.pagination.hasMore) return [...full.slice(0, place), page];
      full[place] = page;
    }
    return full.slice(0, most);
  };
}
