import type { Chain } from '../chain.ts';
import { Difference, type Outcome } from '../check.ts';
import { groupBy } from '../group-by.ts';
import { gainOf } from '../landed.ts';
import { mustBePool, mustKeepSol } from '../market-pool.ts';
import type { ProvenRow } from './chain-rows.ts';

export interface Buyer {
  readonly treasuries: readonly string[];
  readonly quoteMint: string;
}

/** Requires that each purchase is a swap with one pool of its coin and the quote token, the same for all of a coin. */
export async function checkMarkets(
  chain: Chain,
  purchases: readonly ProvenRow[],
  buyer: Buyer,
): Promise<Outcome<null>> {
  const pools: string[] = [];
  for (const [coin, own] of groupBy(purchases, ({ row }) => row.mint)) {
    for (const one of own) mustBuy(one, buyer);
    const [pool, ...others] = new Set(own.flatMap((one) => sellersOf(one, buyer)));
    if (pool === undefined) throw boughtNothing(own[0], coin);
    if (others.length > 0) {
      const expected = { value: pool, from: 'the first purchase' };
      const found = { value: others.join(', '), from: `other purchases of ${coin}` };
      throw new Difference('purchases of a coin are from several sellers', expected, found);
    }
    const how = 'a purchase is of another market';
    await mustBePool(chain, pool, { coin, quoteMint: buyer.quoteMint, how, from: 'the statement' });
    pools.push(`${pool} of ${coin}`);
  }
  return { how: `${purchases.length} purchases from ${pools.join(', ') || 'no pool'}`, value: null };
}

/** Owners of the other accounts whose coins or quote tokens the transaction changed. */
function sellersOf({ row, landed }: ProvenRow, { treasuries, quoteMint }: Buyer): string[] {
  return landed.tokens
    .filter(({ mint, before, after }) => (mint === row.mint || mint === quoteMint) && before !== after)
    .flatMap(({ owner }) => (treasuries.includes(owner) ? [] : [owner]));
}

/** @throws Difference where the treasury got no coins for its quote tokens */
function mustBuy(proven: ProvenRow, { treasuries, quoteMint }: Buyer): void {
  const { row, landed } = proven;
  const bought = treasuries.reduce((sum, owner) => sum + gainOf(landed, owner, row.mint), 0n);
  if (bought <= 0n) throw boughtNothing(proven, row.mint);
  mustKeepSol(landed, quoteMint);
}

function boughtNothing(proven: ProvenRow | undefined, coin: string): Difference {
  const from = proven?.landed.signature ?? 'the purchases';
  const expected = { value: `some of ${coin}`, from: 'the statement' };
  return new Difference('a purchase bought nothing', expected, { value: 'none', from });
}
