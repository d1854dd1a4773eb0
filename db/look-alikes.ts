/** Finds the tokens that a name or symbol imitates, by indexed skeletons. */

import { type Likeness, likenessOf, type Named, skeletonOf } from '../domain/look-alike.ts';
import type { Db } from './connect.ts';
import { keepPlan } from './kept-plans.ts';
import { runText } from './run-text.ts';

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

const FOUND = keepPlan(
  'look-alikes',
  `with given as materialized (
      select * from unnest((select $1::text[]), (select $2::timestamptz[]), (select $3::text[]), (select $4::text[]))
        with ordinality as given (mint, created_at, symbol_skeleton, name_skeleton, place)
      where not exists (select from pairs where pairs.mint = given.mint and pairs.status = 'active')
    ), paired as (
      select distinct on (place) place, listed.mint, listed.name, listed.symbol
      from (select place, symbol_skeleton as skeleton from given union select place, name_skeleton from given) as wanted
      join (
        select symbol_skeleton as skeleton, mint, name, symbol from pairs where status = 'active'
        union all select name_skeleton, mint, name, symbol from pairs where status = 'active'
      ) as listed using (skeleton)
      where skeleton <> '' order by place, listed.mint
    )
    select place::integer, mint, name, symbol, 'pair' as kind from paired
    union all
    select place::integer, found.mint, tokens.name, tokens.symbol, found.kind
    from given cross join lateral (
      select * from (
        ${earlierOf('symbol_skeleton')} union all ${earlierOf('name_skeleton')}
      ) as candidates order by kind <> 'graduated', trades desc, created_at limit 1
    ) as found join tokens on tokens.mint = found.mint
    where place not in (select place from paired)`,
);

/**
 * Finds what each token looks like: a listed pair by name or symbol, else an earlier token of this symbol or name:
 * a graduated one first, then one that traded within 24 hours, then the earliest. Each is one probe of an index, so a
 * frequent name costs no more than a rare one. Null without one; listed pairs look like none. In the order given.
 */
export async function lookAlikesOf(db: Db, tokens: readonly Imitator[]): Promise<(LookAlike | null)[]> {
  if (tokens.length === 0) return [];
  const rows = await runText<{ place: number } & Omit<LookAlike, 'why'>>(db, FOUND, [
    tokens.map(({ mint }) => mint),
    tokens.map(({ createdAt }) => createdAt),
    tokens.map(({ symbol }) => skeletonOf(symbol)),
    tokens.map(({ name }) => skeletonOf(name)),
  ]);
  const found = new Map(rows.map(({ place, ...other }) => [place - 1, other]));
  return tokens.map((token, place) => {
    const other = found.get(place);
    return other ? { ...other, why: likenessOf(token, other) } : null;
  });
}

function earlierOf(skeleton: 'symbol_skeleton' | 'name_skeleton'): string {
  const first = (table: 'tokens' | 'token_markets', kind: string, trades: boolean, which: string) => `
    (select mint, '${kind}' as kind, ${trades} as trades, created_at from ${table}
      where ${table}.${skeleton} = given.${skeleton} and ${table}.${skeleton} <> ''
        and ${table}.created_at < coalesce(given.created_at, 'infinity') and ${table}.mint is distinct from given.mint
        and ${which} order by created_at limit 1)`;
  return [
    first('token_markets', 'graduated', true, `status = 'graduated' and listed`),
    first('token_markets', 'token', true, 'volume24h_usd > 0 and listed'),
    first('tokens', 'token', false, 'withdrawn_at is null and not hidden'),
  ].join(' union all ');
}
