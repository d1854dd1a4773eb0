interface PageOfMany {
  readonly pagination: { readonly hasMore: boolean };
}

/**
 * Reads a list page by page, from page 1 to its end. A page behind the last answers the last one again, so an empty page
 * never comes: `pagination.hasMore` ends it.
 * @example for await (const { launches } of eachPage((page) => api.ask('GET /launches', { query: { page } }))) …
 */
export async function* eachPage<Page extends PageOfMany>(ask: (page: number) => Promise<Page>): AsyncGenerator<Page> {
  for (let page = 1; ; page++) {
    const answer = await ask(page);
    yield answer;
    if (!answer.pagination.hasMore) return;
  }
}
