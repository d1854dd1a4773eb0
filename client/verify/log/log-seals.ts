import type { Chain, Listed } from '../chain.ts';
import { NotProvable } from '../check.ts';
import { listedTransaction } from '../listed-transaction.ts';
import { type Seal, sealIn } from '../seal.ts';
import { everyHolder, holdingOf, type Tenure } from '../wallets/wallet-list.ts';

/** Slots within which a new receipt or wallet is in a log: two hours. */
export const LOGGED_WITHIN_SLOTS = 18_000;

/**
 * Transactions of a receipts key that are read at least before a command gives up. Strangers can name the key too: each
 * time costs them a network fee, 5,000 lamports, and the command one call.
 */
const READ_AT_LEAST = 20_000;

/** Entries of its history that are listed for each one that may be read, failed ones too. A call lists 1,000. */
const [LISTED_FOR_ONE, PAGE] = [10, 1_000];

/** Returns how many transactions of a receipts key may be read, where `--most` allows so many of others. */
export function readOfKey(most: number): number {
  return Math.max(most, READ_AT_LEAST);
}

export interface LogSeals {
  /** Newest first. */
  readonly seals: readonly Seal[];
  /** No older seal exists. */
  readonly isWhole: boolean;
}

export interface SealsWanted {
  /** The newest. */
  readonly seals: number;
  /** Transactions of the keys to read. */
  readonly most: number;
}

/** Reads the newest seals of logs. Each names a key of receipts and is signed by a platform wallet. */
export async function newestLogSeals(
  chain: Chain,
  tenures: readonly Tenure[],
  { seals: wanted, most }: SealsWanted,
): Promise<LogSeals> {
  const seals: Seal[] = [];
  let read = 0;
  for await (const { signature } of namingsOf(chain, tenures, most)) {
    if (seals.length === wanted) return { seals, isWhole: false };
    if (++read > most) throw new NotProvable(`more than ${most} transactions name a key of receipts: raise --most`);
    const seal = sealIn(await listedTransaction(chain, signature));
    if (seal && isOfLog(seal, tenures)) seals.push(seal);
  }
  return { seals, isWhole: true };
}

/** Successful transactions that name a key of receipts, newest first. */
async function* namingsOf(chain: Chain, tenures: readonly Tenure[], most: number): AsyncGenerator<Listed> {
  const lists = everyHolder(tenures, 'receipts').map((key) => listOf(chain, key, most * LISTED_FOR_ONE));
  const heads = await Promise.all(lists.map((list) => list.next()));
  for (;;) {
    let newest = -1;
    for (const [index, head] of heads.entries())
      if (head.done !== true && head.value.slot > slotOf(heads[newest])) newest = index;
    const [head, list] = [heads[newest], lists[newest]];
    if (!head || head.done === true || !list) return;
    yield head.value;
    heads[newest] = await list.next();
  }
}

function slotOf(head: IteratorResult<Listed, void> | undefined): number {
  return head && head.done !== true ? head.value.slot : -1;
}

/** Lists as far as it is asked for. @throws NotProvable for more entries than that */
async function* listOf(chain: Chain, key: string, most: number): AsyncGenerator<Listed, void> {
  let [listed, before]: [number, string | undefined] = [0, undefined];
  for (;;) {
    const { entries, isWhole } = await chain.history(key, { ...(before !== undefined && { before }), most: PAGE });
    for (const entry of entries) if (!entry.hasFailed) yield entry;
    if (isWhole) return;
    listed += entries.length;
    before = entries.at(-1)?.signature;
    if (listed >= most || before === undefined)
      throw new NotProvable(`more than ${listed} transactions name the key of receipts ${key}: raise --most`);
  }
}

/** True if the seal is about a key of receipts, and a wallet that had the role `platform` in its slot signed it. */
export function isOfLog({ payer, slot, about }: Seal, tenures: readonly Tenure[]): boolean {
  const isKey = everyHolder(tenures, 'receipts').includes(about);
  return isKey && holdingOf(tenures, { role: 'platform', address: payer, slot }) === 'then';
}
