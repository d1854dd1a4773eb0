import { createServer } from 'node:http';
import { toTokenAnswer } from '../../../api/tokens/token-answer.ts';
import { createPool } from '../../../db/connect.ts';
import type { ListedToken } from '../../../db/market/listed-token.ts';
import { errorText } from '../../../domain/error-text.ts';
import { listQuery } from '../list-queries.ts';
import { serveParent } from '../server-process.ts';

// node:http, the driver, one plain statement, and the same rows.
const url = process.argv[2]!;
const pool = createPool(url, { maxConnections: 10 });

const PAGE_SIZE = 25;

async function answer(path: string): Promise<string> {
  const { searchParams } = new URL(path, 'http://127.0.0.1');
  const page = Number(searchParams.get('page') ?? 1);
  searchParams.delete('page');
  const query = listQuery(searchParams.toString());
  if (!query) throw new Error(`no query for ${path}`);
  const { rows } = await pool.query<ListedToken>(query.sql, query.parametersOf(page));
  const tokens = rows.slice(0, PAGE_SIZE).map((token) => toTokenAnswer(token, 'http://127.0.0.1/logo.svg'));
  const meta = { page, pageSize: PAGE_SIZE, hasMore: rows.length > PAGE_SIZE };
  return JSON.stringify({ data: { tokens }, meta });
}

const server = createServer((request, response) => {
  answer(request.url ?? '').then(
    (text) => {
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.setHeader('content-length', Buffer.byteLength(text));
      response.end(text);
    },
    (error: unknown) => {
      response.statusCode = 500;
      response.end(errorText(error));
    },
  );
});
server.listen(0, '127.0.0.1', () => {
  serveParent(server.address());
});
