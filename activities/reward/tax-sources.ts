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

/** Accounts withdrawn from per round, greatest first. Two are reserved for the vaults. */
const MOST_SOURCES = MOST_WITHHELD - 2;

export interface Tax {
  /** Of the mint, raw units. */
  readonly mintRaw: bigint;
  /** With withheld tax, greatest first. */
  readonly accounts: readonly WithheldIn[];
}

/**
 * `at` is null until the first fee sweep burned the deposit's tax, which is never sold. An account's tax cannot be
 * withdrawn in part, so until then the vault is skipped; the mint too: anyone may have moved the vault's tax there.
 */
export function taxAtHand(vault: PublicKey, at: TaxAt | null): Tax {
  if (at === null) return { mintRaw: 0n, accounts: [] };
  const { mintRaw, accountRaw } = at;
  return { mintRaw, accounts: accountRaw > 0n ? [{ account: vault.toBase58(), raw: accountRaw }] : [] };
}

/** Vaults count only through `taxAtHand`. */
export function taxOf(
  { pool: { vault0, vault1 }, tax }: { readonly pool: PoolState; readonly tax: Tax },
  withheld: readonly WithheldIn[],
): Tax {
  const vaults = [vault0, vault1].map((vault) => vault.toBase58());
  const others = withheld.filter(({ account }) => !vaults.includes(account));
  return { mintRaw: tax.mintRaw, accounts: [...tax.accounts, ...others].slice(0, MOST_SOURCES) };
}

/**
 * Groups the accounts by transaction; each transaction is worth more than it costs. The mint's own tax has one of its
 * own.
 */
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
 * Returns what the first fee sweep withdrew with the deposit's tax; the rewards authority holds it until it moves into
 * the pot, once. Raw units.
 */
export async function excessOf(
  { db }: Pick<RewardDeps, 'db'>,
  { token }: RewardMarket,
  { isBurned, excessRaw }: DepositTax,
): Promise<bigint> {
  if (!isBurned || excessRaw === 0n) return 0n;
  return (await rewardTransactions.hasExcess(db, token.mint)) ? 0n : excessRaw;
}
