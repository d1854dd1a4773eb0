import type { PoolState } from '../../chain/exchange/exchange.ts';
import type { WithheldAccount, WithheldTax } from '../../chain/tokens/withheld-tax.ts';
import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import type { RewardDeps } from './deps.ts';
import type { RewardMarket } from './market.ts';

/** Most accounts whose tax one round withdraws, the greatest amounts first; the others wait for the next round. */
const MOST_SOURCES = 20_000;

/**
 * Where tax is withdrawn from in a round. The tax of the launch's own deposit lies withheld in the pool's vault, is burned by
 * the first fee sweep of the token and never sold. An account's tax cannot be withdrawn in part, so until then the vault is
 * left alone, and the mint too: anybody may have brought the vault's tax there.
 */
export async function taxSources(
  { db }: Pick<RewardDeps, 'db'>,
  market: RewardMarket,
  { vault0, vault1 }: PoolState,
  { accounts, mintRaw }: WithheldTax,
): Promise<WithheldAccount[]> {
  const { base } = market;
  const { isBurned: isSwept } = await feeSweeps.depositTax(db, market.token.mint);
  const ofHolders = accounts.filter(({ account }) => isSwept || !(account.equals(vault0) || account.equals(vault1)));
  // A source that is the mint itself stands for what was brought to the mint.
  const ofMint = isSwept && mintRaw > 0n ? [{ account: base.mint, owner: base.mint, raw: mintRaw }] : [];
  return [...ofMint, ...ofHolders.slice(0, MOST_SOURCES)];
}

/**
 * Tax of trades that the first fee sweep withdrew along with the deposit's: it lies with the rewards authority and belongs into
 * the pot, once. Raw units; 0 where there is none, or it was brought there.
 */
export async function excessOf({ db }: Pick<RewardDeps, 'db'>, { token }: RewardMarket): Promise<bigint> {
  const { isBurned, excessRaw } = await feeSweeps.depositTax(db, token.mint);
  if (!isBurned || excessRaw === 0n) return 0n;
  return (await rewardTransactions.hasExcess(db, token.mint)) ? 0n : excessRaw;
}
