import Type, { type Static, type TSchema } from 'typebox';
import Value from 'typebox/value';

/** Rows a page: few, so that there are many pages. */
const LIMIT = 7;

const pageOf = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Type.Object({
    data: Type.Object({
      ...fields,
      pagination: Type.Object({ nextCursor: Type.Union([Type.String(), Type.Null()]) }),
    }),
  });

const ClaimsPage = pageOf({
  claims: Type.Array(
    Type.Object({
      mint: Type.String(),
      signature: Type.String(),
      baseRaw: Type.String(),
      quoteRaw: Type.String(),
      finalized: Type.Boolean(),
    }),
  ),
});

const PayoutSchema = Type.Object({
  mint: Type.String(),
  signature: Type.String(),
  amountRaw: Type.String(),
});

const RewardsPage = pageOf({
  days: Type.Array(Type.Object({ mint: Type.String(), amountRaw: Type.String(), payoutCount: Type.Integer() })),
  payouts: Type.Array(PayoutSchema),
});

export type ListedClaim = Static<typeof ClaimsPage>['data']['claims'][number];
export type ListedPayout = Static<typeof PayoutSchema>;
type ListedDay = Static<typeof RewardsPage>['data']['days'][number];

/** `GET /wallets/{wallet}/claims`, every page. */
export async function listedClaims(apiUrl: string, wallet: string): Promise<ListedClaim[]> {
  const claims: ListedClaim[] = [];
  for (let query: string | null = firstPage; query !== null;) {
    const body: unknown = await (await fetch(`${apiUrl}/wallets/${wallet}/claims${query}`)).json();
    const { data } = Value.Parse(ClaimsPage, body);
    claims.push(...data.claims);
    query = pageAfter(data.pagination.nextCursor);
  }
  return claims;
}

/** `GET /wallets/{wallet}/rewards`, every page. */
export async function listedRewards(apiUrl: string, wallet: string) {
  const [payouts, days]: [ListedPayout[], ListedDay[]] = [[], []];
  for (let query: string | null = firstPage; query !== null;) {
    const body: unknown = await (await fetch(`${apiUrl}/wallets/${wallet}/rewards${query}`)).json();
    const { data } = Value.Parse(RewardsPage, body);
    payouts.push(...data.payouts);
    days.push(...data.days);
    query = pageAfter(data.pagination.nextCursor);
  }
  return { payouts, days };
}

/** The same payouts as CSV: every page, by the `Link` of the one before. */
export async function csvRewards(apiUrl: string, wallet: string): Promise<ListedPayout[]> {
  const payouts: ListedPayout[] = [];
  for (let query: string | null = firstPage; query !== null;) {
    const url = `${apiUrl}/wallets/${wallet}/rewards${query}`;
    const response: Response = await fetch(url, { headers: { accept: 'text/csv' } });
    const [columns = [], ...rows] = (await response.text())
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    const cell = (row: readonly string[], column: string) => row[columns.indexOf(column)] ?? '';
    for (const row of rows)
      payouts.push({
        mint: cell(row, 'mint'),
        signature: cell(row, 'signature'),
        amountRaw: cell(row, 'amountRaw'),
      });
    query = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
  }
  return payouts;
}

const firstPage = `?limit=${LIMIT}`;

const pageAfter = (cursor: string | null): string | null =>
  cursor === null ? null : `${firstPage}&cursor=${encodeURIComponent(cursor)}`;
