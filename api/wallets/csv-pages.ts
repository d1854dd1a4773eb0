import type { FastifyReply, FastifyRequest } from 'fastify';
import { createBoundedCache } from '../cache/bounded-cache.ts';
import { type Cell, csvOf, prefersCsv } from './csv.ts';

/** Rows of a page, and what the cursor of the next one is. */
export interface CsvRows<Name extends string> {
  readonly rows: readonly Readonly<Record<Name, Cell>>[];
  readonly nextCursor: string | null;
}

interface PageLife {
  /** This process alone keeps a page: some shared caches ignore `Vary: accept`. */
  readonly memorySeconds: number;
  readonly entries: number;
}

/**
 * Answers a list's page as CSV to a client that prefers it, with a `Link` header to the next page, and says of every
 * answer that it varies. Null for other clients.
 *
 * @param load of a page, by the parameters of the list
 */
export function createCsvPages<Input extends object, Name extends string>(
  columns: readonly Name[],
  { memorySeconds, entries }: PageLife,
  load: (input: Input) => Promise<CsvRows<Name>>,
): (request: FastifyRequest, reply: FastifyReply, input: Input) => Promise<FastifyReply> | null {
  const pageFor = createBoundedCache(
    { seconds: memorySeconds, entries, sizeOf: ({ text }: { readonly text: string }) => text.length },
    async (input: Input) => {
      const { rows, nextCursor } = await load(input);
      return { text: csvOf(columns, rows), nextCursor };
    },
  );
  const send = async (request: FastifyRequest, reply: FastifyReply, input: Input) => {
    const { text, nextCursor } = await pageFor(input);
    if (nextCursor !== null) void reply.header('link', nextLink(request.query, nextCursor));
    return reply.type('text/csv; charset=utf-8').send(text);
  };
  return (request, reply, input) => {
    void reply.header('vary', 'accept');
    return prefersCsv(request.headers.accept) ? send(request, reply, input) : null;
  };
}

/** A reference relative to the requested path (RFC 8288), with the parameters that were asked with. */
function nextLink(query: unknown, cursor: string): string {
  const given = Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  const next = new URLSearchParams({ ...Object.fromEntries(given), cursor });
  return `<?${next.toString()}>; rel="next"`;
}
