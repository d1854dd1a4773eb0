import type { Claimable, PoolState } from '../../chain/exchange/exchange.ts';
import type { WithheldIn } from '../../chain/tokens/holder-answer.ts';
import { withOwner } from '../../chain/tokens/known-accounts.ts';
import { readTaxAt } from '../../chain/tokens/withheld-tax.ts';
import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import * as heldAccounts from '../../db/held-accounts.ts';
import * as rewardSnapshots from '../../db/reward/reward-snapshots.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import type { RewardFunds } from '../../db/reward/reward-transactions.ts';
import type { RewardDeps } from './deps.ts';
import type { RewardMarket } from './market.ts';
import { excessOf, type Tax, taxAtHand, taxOf } from './tax-sources.ts';

export interface Funds {
  readonly tax: Tax;
  /** Withdrawn by the first fee sweep beyond the deposit's tax, raw units. */
  readonly excessRaw: bigint;
  readonly claimable: Claimable;
  readonly left: RewardFunds;
}

export interface FundsAtHand extends Funds {
  readonly pool: PoolState;
}

/** Throws if the pool is not on the chain. */
export async function fundsAtHand(deps: RewardDeps, market: RewardMarket): Promise<FundsAtHand> {
  const { exchange, rpc, db } = deps;
  const { feeKeyMint, base, token } = market;
  const [pool, deposit] = await Promise.all([exchange.readPool(market.pool), feeSweeps.depositTax(db, token.mint)]);
  if (!pool) throw new Error(`the pool ${token.pool} of ${token.mint} is not on the chain`);
  const vault = pool.token0.equals(base.mint) ? pool.vault0 : pool.vault1;
  const [at, excessRaw, claimable, left] = await Promise.all([
    deposit.isBurned ? readTaxAt(rpc.connection, base.mint, vault) : null,
    excessOf(deps, market, deposit),
    exchange.readClaimable(market.pool, feeKeyMint, pool),
    rewardTransactions.funds(db, token.mint),
  ]);
  return { pool, tax: taxAtHand(vault, at), excessRaw, claimable, left };
}

export async function fundsOf(
  { db, rpc }: RewardDeps,
  { base, token: { mint, creator } }: RewardMarket,
  atHand: FundsAtHand,
): Promise<Funds> {
  const known = await heldAccounts.known(db, mint);
  const withheld = await rpc.withheldTax(base.mint, known ? withOwner(base, known, creator) : []);
  return { ...atHand, tax: taxOf(atHand, withheld) };
}

/** Adds the tax at the last observation: that response had balances and tax. */
export async function fundsOfRound(
  deps: RewardDeps,
  market: RewardMarket,
  roundId: string,
  atHand: FundsAtHand,
): Promise<Funds> {
  const observed = await rewardSnapshots.withheld(deps.db, roundId);
  return observed ? { ...atHand, tax: taxOf(atHand, greatestFirst(observed)) } : fundsOf(deps, market, atHand);
}

function greatestFirst(withheld: ReadonlyMap<string, bigint>): WithheldIn[] {
  const accounts = [...withheld].map(([account, raw]) => ({ account, raw }));
  return accounts.sort((a, b) => (a.raw === b.raw ? 0 : a.raw > b.raw ? -1 : 1));
}
