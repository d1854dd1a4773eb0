import type { Chain, Listed } from '../chain.ts';
import { NotProvable } from '../check.ts';
import { listedTransaction } from '../listed-transaction.ts';
import { type Seal, sealIn } from '../seal.ts';
import type { Tenure } from '../wallets/wallet-list.ts';

/** Slots within which a new receipt or wallet is in a log: two hours. */
export const LOGGED_WITHIN_SLOTS = 18_000;

/** Number of transactions that are read of a receipts key. Strangers can name the key too, and pay for that. */
const MOST_READ = 500;

export interface LogSeals {
  /** Newest first. */
  readonly seals: readonly Seal[];
  /** No older seal exists. */
  readonly isWhole: boolean;
}

/** Reads the newest seals of logs. Each names a key of receipts and is signed by a platform wallet. */
export async function newestLogSeals(chain: Chain, tenures: readonly Tenure[], most: number): Promise<LogSeals> {
  const seals: Seal[] = [];
  let read = 0;
  const named = await namingsOf(chain, tenures);
  for (const { signature } of named.entries) {
    if (seals.length === most) return { seals, isWhole: false };
    if (++read > MOST_READ) throw new NotProvable(`more than ${MOST_READ} transactions name a key of receipts`);
    const seal = sealIn(await listedTransaction(chain, signature));
    if (seal && isOfLog(seal, tenures)) seals.push(seal);
  }
  return { seals, isWhole: named.isWhole };
}

/** Successful transactions that name a key of receipts, newest first. */
async function namingsOf(chain: Chain, tenures: readonly Tenure[]) {
  const entries: Listed[] = [];
  let isWhole = true;
  for (const { entry } of tenures.filter((tenure) => tenure.entry.role === 'receipts')) {
    const history = await chain.history(entry.address, { most: MOST_READ });
    entries.push(...history.entries.filter(({ hasFailed }) => !hasFailed));
    isWhole &&= history.isWhole;
  }
  return { entries: entries.toSorted((a, b) => b.slot - a.slot), isWhole };
}

/** True if the seal is about a key of receipts, and a wallet that had the role `platform` in its slot signed it. */
export function isOfLog({ payer, slot, about }: Seal, tenures: readonly Tenure[]): boolean {
  const isKey = tenures.some(({ entry }) => entry.role === 'receipts' && entry.address === about);
  const isOwn = tenures.some(
    ({ entry, from, until }) =>
      entry.role === 'platform' && entry.address === payer && from <= slot && (until === null || slot <= until),
  );
  return isKey && isOwn;
}
