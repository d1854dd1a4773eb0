import type { PublicKey } from '@solana/web3.js';
import type { PoolState } from '../../chain/exchange/exchange.ts';
import { TAX_SOURCES_PER_TRANSACTION, withdrawalLamports } from '../../chain/reward/round-transaction.ts';
import { MOST_WITHHELD, type WithheldIn } from '../../chain/tokens/holder-answer.ts';
import type { TaxAt } from '../../chain/tokens/withheld-tax.ts';
import type { DepositTax } from '../../db/fee-sweep/fee-sweeps.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import { type WithdrawalPrices, worthWithdrawing } from '../../domain/reward/withdrawals.ts';
import type { RewardDeps } from './deps.ts';
import type { RewardMarket } from './market.ts';

/** Most accounts whose tax one round withdraws, the greatest amounts first; the others wait for the next round. The vaults are apart. */
const MOST_SOURCES = MOST_WITHHELD - 2;

/** Tax that a round may withdraw. */
export interface Tax {
  /** What was brought to the mint itself, raw units. */
  readonly mintRaw: bigint;
  /** Token accounts in which some lies withheld, the greatest first. */
  readonly accounts: readonly WithheldIn[];
}

/**
 * Of the mint and the pool's vault. The tax of the launch's own deposit lies withheld in the vault, is burned by the first fee sweep
 * of the token and never sold. An account's tax cannot be withdrawn in part, so until then the vault is left alone, and the mint
 * too: anybody may have brought the vault's tax there. `at` = null before that.
 */
export function taxAtHand(vault: PublicKey, at: TaxAt | null): Tax {
  if (at === null) return { mintRaw: 0n, accounts: [] };
  const { mintRaw, accountRaw } = at;
  return { mintRaw, accounts: accountRaw > 0n ? [{ account: vault.toBase58(), raw: accountRaw }] : [] };
}

/** Of the mint and all of these accounts; of the vaults what `taxAtHand` takes, as it lies there now. */
export function taxOf(
  { pool: { vault0, vault1 }, tax }: { readonly pool: PoolState; readonly tax: Tax },
  withheld: readonly WithheldIn[],
): Tax {
  const vaults = [vault0, vault1].map((vault) => vault.toBase58());
  const others = withheld.filter(({ account }) => !vaults.includes(account));
  return { mintRaw: tax.mintRaw, accounts: [...tax.accounts, ...others].slice(0, MOST_SOURCES) };
}

/** Whose tax is withdrawn, by transaction; the mint's own by one of its own, of which the mint is the source. None costs more than it brings. */
export function withdrawalsOf(
  { settings: { computeUnitPrice } }: Pick<RewardDeps, 'settings'>,
  { token: { mint } }: Pick<RewardMarket, 'token'>,
  { mintRaw, accounts }: Tax,
  prices: WithdrawalPrices,
): (readonly WithheldIn[])[] {
  const worth = (sources: readonly WithheldIn[], most: number) =>
    worthWithdrawing(sources, most, (count) => withdrawalLamports(count, computeUnitPrice), prices);
  const ofMint = worth([{ account: mint, raw: mintRaw }], 1);
  return [...ofMint, ...worth(accounts, TAX_SOURCES_PER_TRANSACTION)];
}

/**
 * Tax of trades that the first fee sweep withdrew along with the deposit's: it lies with the rewards authority and belongs into
 * the pot, once. Raw units; 0 where there is none, or it was brought there.
 */
export async function excessOf(
  { db }: Pick<RewardDeps, 'db'>,
  { token }: RewardMarket,
  { isBurned, excessRaw }: DepositTax,
): Promise<bigint> {
  if (!isBurned || excessRaw === 0n) return 0n;
  return (await rewardTransactions.hasExcess(db, token.mint)) ? 0n : excessRaw;
}
