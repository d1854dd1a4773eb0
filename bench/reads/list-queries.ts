import { TOKEN_COLUMNS, TOKEN_JOINS } from '../../db/market/listed-token.ts';
import { ORDERS, TOKEN_SORTS, type TokenFilter, type TokenSort } from '../../db/market/token-list.ts';

export interface ListQuery {
  readonly sql: string;
  parametersOf(page: number): unknown[];
}

type Filter = Pick<TokenFilter, 'mode' | 'status'>;

const FILTERS: readonly Filter[] = [{}, { mode: 'standard' }, { status: 'new' }];
const PAGE_SIZE = 25;

/** Each path's query, as one plain statement that is planned at each call. */
const QUERIES: ReadonlyMap<string, ListQuery> = new Map(
  TOKEN_SORTS.flatMap((sort) => FILTERS.map((filter) => [pathOf(sort, filter), queryOf(sort, filter)])),
);

export const LIST_PATHS: readonly string[] = [...QUERIES.keys()];

export function listQuery(path: string): ListQuery | undefined {
  return QUERIES.get(path);
}

function pathOf(sort: TokenSort, filter: Filter): string {
  return new URLSearchParams({ sort, ...filter }).toString();
}

function queryOf(sort: TokenSort, filter: Filter): ListQuery {
  const wanted = Object.entries(filter);
  const where = ['m.listed', ...wanted.map(([column], place) => `m.${column} = $${place + 3}`)].join(' and ');
  const order = ORDERS[sort];
  return {
    sql: `with page as (select m.mint from token_markets m where ${where} order by ${order} limit $1 offset $2)
      select ${TOKEN_COLUMNS} from page join token_markets m using (mint) join tokens t using (mint)
      ${TOKEN_JOINS} order by ${order}`,
    parametersOf: (page) => [PAGE_SIZE + 1, (page - 1) * PAGE_SIZE, ...wanted.map(([, value]) => value)],
  };
}
