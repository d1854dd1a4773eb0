/** Finds the tokens that a name or symbol imitates, by indexed skeletons. */

import { sql } from 'kysely';
import { type Likeness, likenessOf, type Named, skeletonOf } from '../domain/look-alike.ts';
import type { Db } from './connect.ts';

/** A token that may imitate another; not launched yet without mint and time. */
export interface Imitator extends Named {
  readonly mint: string | null;
  /** ISO 8601; only earlier tokens count. */
  readonly createdAt: string | null;
}

export interface LookAlike extends Named {
  readonly mint: string;
  readonly kind: 'pair' | 'graduated' | 'token';
  readonly why: Likeness;
}

export function skeletonsOf({ name, symbol }: Named) {
  return { symbolSkeleton: skeletonOf(symbol), nameSkeleton: skeletonOf(name) };
}

/** Tokens of one skeleton beside a graduated one: a frequent name costs no more than a rare one. */
const EARLIEST = 20;

/**
 * Finds what each token looks like: a listed pair by name or symbol, else an earlier token of this symbol or name,
 * graduated ones first, then those that still trade. Null without one; listed pairs look like none. In the order given.
 */
export async function lookAlikesOf(db: Db, tokens: readonly Imitator[]): Promise<(LookAlike | null)[]> {
  if (tokens.length === 0) return [];
  const { rows } = await sql<{ place: number } & Omit<LookAlike, 'why'>>`
    select given.place::integer as place, found.mint, found.name, found.symbol, found.kind
    from unnest(${tokens.map(({ mint }) => mint)}::text[], ${tokens.map(({ createdAt }) => createdAt)}::timestamptz[],
      ${tokens.map(({ symbol }) => skeletonOf(symbol))}::text[], ${tokens.map(({ name }) => skeletonOf(name))}::text[])
      with ordinality as given (mint, created_at, symbol_skeleton, name_skeleton, place)
    cross join lateral (select * from (
      (select mint, name, symbol, 'pair' as kind, true as trades from pairs
        where status = 'active' and (${meets('symbol_skeleton')} or ${meets('name_skeleton')})
        order by mint limit 1)
      union all ${earlier('symbol_skeleton')}
      union all ${earlier('name_skeleton')}
    ) as candidates order by kind <> 'pair', kind <> 'graduated', trades desc limit 1) as found
    where not exists (select from pairs where pairs.mint = given.mint and pairs.status = 'active')`.execute(db);
  const found = new Map(rows.map(({ place, ...other }) => [place - 1, other]));
  return tokens.map((token, place) => {
    const other = found.get(place);
    return other ? { ...other, why: likenessOf(token, other) } : null;
  });
}

type Skeleton = 'symbol_skeleton' | 'name_skeleton';

function meets(skeleton: Skeleton) {
  const column = sql.ref(`pairs.${skeleton}`);
  return sql`${column} <> '' and ${column} in (given.symbol_skeleton, given.name_skeleton)`;
}

/** Graduated tokens by an index of their own; of the others, those that still trade come first. */
function earlier(skeleton: Skeleton) {
  return sql`
    (select mint, alike.name, alike.symbol, case when status = 'graduated' then 'graduated' else 'token' end as kind,
        coalesce(trades24h, 0) > 0 as trades
      from (
        (select tokens.mint, name, symbol, tokens.created_at from tokens
          where ${meetsEarlier('tokens', skeleton)} and withdrawn_at is null and not hidden
          order by tokens.created_at limit ${EARLIEST})
        union
        (select tokens.mint, name, symbol, tokens.created_at from token_markets join tokens using (mint)
          where ${meetsEarlier('token_markets', skeleton)} and status = 'graduated' and listed
          order by token_markets.created_at limit 1)
      ) as alike
      join (select mint, status from token_markets) as market using (mint)
      left join (select mint, trades24h from token_trading) as trading using (mint)
      order by status = 'graduated' desc, trades desc, created_at limit 1)`;
}

function meetsEarlier(table: 'tokens' | 'token_markets', skeleton: Skeleton) {
  const [column, given] = [sql.ref(`${table}.${skeleton}`), sql.ref(`given.${skeleton}`)];
  const [created, mint] = [sql.ref(`${table}.created_at`), sql.ref(`${table}.mint`)];
  return sql`${column} = ${given} and ${column} <> ''
    and ${created} < coalesce(given.created_at, 'infinity') and ${mint} is distinct from given.mint`;
}
