import type { RpcEndpoint, RpcParams } from '../rpc/json-rpc.ts';
import type { HolderAnswer } from './holder-answer.ts';
import type { HolderPage, PageForm } from './holder-page.ts';
import { startHolderSum } from './holder-sum.ts';
import type { HolderQuery } from './holders.ts';
import { wantedCoin } from './other-accounts.ts';

export const [MOST_PAGES, MOST_OWNERS, MOST_READING_MS] = [1_000, 500_000, 35_000];

export interface PagedQuery {
  readonly form: PageForm;
  readonly method: string;
  /** Null requests the first page. */
  readonly params: (next: string | null) => RpcParams;
  /** Minimum slot of every page. */
  readonly leastSlot?: number;
  /** ms; default `performance.now`. */
  readonly now?: () => number;
}

/**
 * Reads all pages, with the lowest slot among them. Tokens moved meanwhile may count at both ends, or neither.
 *
 * @throws RangeError for too many pages or owners, too long, a repeated key, or a page too old
 */
export async function readHolderPages(
  endpoint: RpcEndpoint,
  query: Pick<HolderQuery, 'mint' | 'tokenProgram' | 'wish' | 'withOtherAccounts'>,
  { form, method, params, leastSlot = 0, now = () => performance.now() }: PagedQuery,
): Promise<HolderAnswer> {
  const { mint, wish } = query;
  await using sum = startHolderSum({ form, mint: mint.toBase58(), coin: wantedCoin(query) });
  const began = now();
  const walk = { pages: 0, accounts: 0, keys: new Set<string>() };
  let slot = Infinity;
  for (let next: string | null = null; ;) {
    const page: HolderPage = await endpoint.callFor(method, params(next), (body) => sum.add(body));
    if (page.slot < leastSlot)
      throw new RangeError(`${endpoint.name} answered ${method} as of slot ${page.slot}, older than ${leastSlot}`);
    slot = Math.min(slot, page.slot);
    walk.pages += 1;
    walk.accounts += page.accounts;
    if (page.next === null) return await sum.answer(slot, wish);
    const reason = endlessBy(walk, page.next, page.owners, Math.round(now() - began));
    if (reason !== null)
      throw new RangeError(
        `${endpoint.name} has more holders of ${mint.toBase58()} than are read: ${walk.accounts} accounts on ${walk.pages} pages, ${reason}`,
      );
    walk.keys.add(page.next);
    next = page.next;
  }
}

interface Walk {
  readonly pages: number;
  readonly keys: ReadonlySet<string>;
}

function endlessBy({ pages, keys }: Walk, next: string, owners: number, ms: number): string | null {
  if (keys.has(next)) return `and the key ${next} once more`;
  if (owners > MOST_OWNERS) return `${owners} owners, at most ${MOST_OWNERS}`;
  if (pages >= MOST_PAGES) return `at most ${MOST_PAGES}`;
  return ms > MOST_READING_MS ? `${ms} ms, at most ${MOST_READING_MS}` : null;
}
