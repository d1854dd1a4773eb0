// Prints all events behind a cursor, one a line: node pull.ts https://site.example/api/public/v1 oldest

interface Page {
  readonly data: {
    readonly events: readonly { readonly id: string }[];
    readonly pagination: { readonly nextCursor: string; readonly hasMore: boolean };
  };
}

const [url, first] = process.argv.slice(2);
if (url === undefined || first === undefined) throw new Error('usage: pull.ts URL CURSOR');
for (let [cursor, hasMore] = [first, true]; hasMore;) {
  const query = new URLSearchParams({ after: cursor, limit: '100' });
  const response = await fetch(`${url}/events?${query.toString()}`, { signal: AbortSignal.timeout(30_000) });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  const { events, pagination } = ((await response.json()) as Page).data;
  for (const event of events) console.log(JSON.stringify(event));
  // Keep it together with what you do with the events.
  [cursor, hasMore] = [pagination.nextCursor, pagination.hasMore];
}
