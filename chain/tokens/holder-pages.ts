import type { RpcEndpoint, RpcParams } from '../rpc/json-rpc.ts';
import type { HolderAnswer } from './holder-answer.ts';
import type { HolderPage, PageForm } from './holder-page.ts';
import { startHolderSum } from './holder-sum.ts';
import type { HolderQuery } from './holders.ts';

/** Pages of one reading, owners with a balance, and how long it takes, in ms: beyond that it is given up. */
export const [MOST_PAGES, MOST_OWNERS, MOST_READING_MS] = [1_000, 500_000, 35_000];

/** How the pages of a token are asked for. */
export interface PagedQuery {
  readonly form: PageForm;
  readonly method: string;
  /** Parameters of the page after this key; of the first one where it is null. */
  readonly params: (next: string | null) => RpcParams;
  /** No page may be of an earlier slot. */
  readonly leastSlot?: number;
  /** A clock in ms; default `performance.now`. */
  readonly now?: () => number;
}

/**
 * All accounts of a token, page after page. They are of the lowest slot of all pages: whoever moves tokens meanwhile may be counted at both
 * ends of the move, or at none.
 * @throws RangeError where there is no end of it: too many pages or owners, too long, a key that came before; or where a page is too old.
 */
export async function readHolderPages(
  endpoint: RpcEndpoint,
  { mint, wish }: Pick<HolderQuery, 'mint' | 'wish'>,
  { form, method, params, leastSlot = 0, now = () => performance.now() }: PagedQuery,
): Promise<HolderAnswer> {
  await using sum = startHolderSum({ form, mint: mint.toBase58() });
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

/** How far a reading has come. */
interface Walk {
  readonly pages: number;
  /** With which pages were asked for. */
  readonly keys: ReadonlySet<string>;
}

/** Why no further page is asked for after so many owners and ms; null where one is. */
function endlessBy({ pages, keys }: Walk, next: string, owners: number, ms: number): string | null {
  if (keys.has(next)) return `and the key ${next} once more`;
  if (owners > MOST_OWNERS) return `${owners} owners, at most ${MOST_OWNERS}`;
  if (pages >= MOST_PAGES) return `at most ${MOST_PAGES}`;
  return ms > MOST_READING_MS ? `${ms} ms, at most ${MOST_READING_MS}` : null;
}
