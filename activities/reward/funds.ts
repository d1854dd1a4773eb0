import type { Claimable } from '../../chain/exchange/exchange.ts';
import { readWithheldTax, type WithheldTax } from '../../chain/tokens/withheld-tax.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import type { RewardFunds } from '../../db/reward/reward-transactions.ts';
import type { RewardDeps } from './deps.ts';
import type { RewardMarket } from './market.ts';
import { excessOf, taxSources } from './tax-sources.ts';

/** Everything that a round of a token could distribute. */
export interface Funds {
  readonly tax: WithheldTax['accounts'];
  /** What the first fee sweep withdrew beyond the deposit's tax, raw units. */
  readonly excessRaw: bigint;
  readonly claimable: Claimable;
  /** What earlier rounds left in the pot. */
  readonly left: RewardFunds;
}

/** Looks for it. Throws where the token's pool is not on the chain. */
export async function lookForFunds(deps: RewardDeps, market: RewardMarket): Promise<Funds> {
  const { exchange, rpc, db } = deps;
  const { pool, feeKeyMint, base, token } = market;
  const [state, withheld] = await Promise.all([exchange.readPool(pool), readWithheldTax(rpc.connection, base.mint)]);
  if (!state) throw new Error(`the pool ${token.pool} of ${token.mint} is not on the chain`);
  const [tax, excessRaw, claimable, left] = await Promise.all([
    taxSources(deps, market, state, withheld),
    excessOf(deps, market),
    exchange.readClaimable(pool, feeKeyMint, state),
    rewardTransactions.funds(db, token.mint),
  ]);
  return { tax, excessRaw, claimable, left };
}
