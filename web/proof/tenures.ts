import { Difference } from '../../client/verify/check.ts';
import { type Tenure, tenuresOf, type WalletEntry } from '../../client/verify/wallets/wallet-list.ts';

export type ShownTenures =
  | { readonly problem: null; readonly tenures: readonly Tenure[] }
  /** Both values, and where each came from. */
  | { readonly problem: string };

/** Reads the slots between which an address has a role, or the problem of a list that contradicts itself. */
export function shownTenures(entries: readonly WalletEntry[]): ShownTenures {
  try {
    return { problem: null, tenures: tenuresOf(entries, 'the list') };
  } catch (error) {
    if (!(error instanceof Difference)) throw error;
    const { message, expected, found } = error;
    return { problem: `${message}: expected ${expected.value}, found ${found.value} (${found.from})` };
  }
}
