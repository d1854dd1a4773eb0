import type { Chain, Listed } from './chain.ts';
import type { TokenChange } from './landed.ts';
import { listedTransaction } from './listed-transaction.ts';

/** Returns the account's change in a transaction of its history; null if that shows no token balance of the account. */
export type ReadChange = (signature: string) => Promise<TokenChange | null>;

/** Reads each transaction once. */
export function changesOf(chain: Chain, account: string): ReadChange {
  const read = new Map<string, TokenChange | null>();
  return async (signature) => {
    const known = read.get(signature);
    if (known !== undefined) return known;
    const { tokens } = await listedTransaction(chain, signature);
    const change = tokens.find((one) => one.account === account) ?? null;
    read.set(signature, change);
    return change;
  };
}

/**
 * Returns the newest change among entries, newest first, up to a slot; null if there is none. A transaction without a
 * token program shows no token balances, and anybody can name an account in one: it says nothing about the account.
 */
export async function newestChange(
  entries: readonly Listed[],
  slot: number,
  changeIn: ReadChange,
): Promise<TokenChange | null> {
  for (const { signature, slot: own, hasFailed } of entries) {
    const change = hasFailed || own > slot ? null : await changeIn(signature);
    if (change) return change;
  }
  return null;
}
