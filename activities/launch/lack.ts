import type { Db } from '../../db/connect.ts';
import { lockOpenPayments, openPaymentsOf } from '../../db/launch/unpaid-launches.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import type { LaunchDeps } from './deps.ts';
import { heldLamports, shortfallOf } from './give-up-unsent.ts';
import { shortageOf, treasuryBalance, type TreasuryReading } from './treasury-stock.ts';

/** Balances that a launch is paid and served from, read before they are locked. */
export interface Held {
  readonly lamports: bigint;
  /** Null without a dev buy. */
  readonly stock: TreasuryReading | null;
}

export async function readHeld(deps: LaunchDeps, terms: LaunchTerms): Promise<Held> {
  const needed = BigInt(terms.payment.lamports) + (await openPaymentsOf(deps.db, terms.creator, terms.quoteId));
  const [lamports, stock] = await Promise.all([
    heldLamports(deps, terms.creator, needed),
    terms.devBuy ? treasuryBalance(deps, terms) : null,
  ]);
  return { lamports, stock };
}

/**
 * Returns why these balances do not suffice beside what other launches take of them; undefined if they do. Takes the
 * locks of the wallet's open payments and of the stock, which the transaction holds until its launch counts too.
 */
export async function lackOf(
  tx: Db,
  deps: LaunchDeps,
  terms: LaunchTerms,
  { lamports, stock }: Held,
): Promise<string | undefined> {
  const overdraft = shortfallOf(terms, lamports, await lockOpenPayments(tx, terms.creator, terms.quoteId));
  if (overdraft !== undefined || stock === null) return overdraft;
  return shortageOf(tx, deps, terms, stock);
}
