import type { RpcEndpoint } from '../rpc/json-rpc.ts';
import { SlotShape } from '../rpc/shapes.ts';
import type { HolderAnswer } from './holder-answer.ts';
import { DAS_PAGE_ACCOUNTS } from './holder-page.ts';
import { readHolderPages } from './holder-pages.ts';
import { accountsQuery, askHolders, type HolderQuery } from './holders.ts';

export interface HolderSource {
  /** Beyond the start of the reading. */
  readonly behindMs: number;
  ask(endpoint: RpcEndpoint, query: HolderQuery): Promise<HolderAnswer>;
}

export type HolderSourceName = 'plain' | 'paged' | 'das';

/** Maximum that `getProgramAccountsV2` returns. */
const PAGE_ACCOUNTS = 10_000;

/** An index behind its node. */
const [INDEX_SLOTS_BEHIND, INDEX_BEHIND_MS] = [25, 10_000];

/** Reads all holders at one slot. Refused for tokens with millions of accounts. */
export const plainHolders: HolderSource = { behindMs: 0, ask: askHolders };

/** Each page has its own slot. */
const pagedHolders: HolderSource = {
  behindMs: 0,
  ask: (endpoint, query) =>
    readHolderPages(endpoint, query, {
      form: 'program',
      method: 'getProgramAccountsV2',
      params: (paginationKey) => {
        const how = { ...accountsQuery(query), limit: PAGE_ACCOUNTS };
        return [query.tokenProgram.toBase58(), paginationKey === null ? how : { ...how, paginationKey }];
      },
    }),
};

/**
 * Non-empty accounts only, as Helius has it. No commitment: its last slot must be near the head that the endpoint
 * reported before.
 */
const indexedHolders: HolderSource = {
  behindMs: INDEX_BEHIND_MS,
  async ask(endpoint, query) {
    if (query.withTax) throw new Error('the Digital Asset Standard does not say where transfer tax is withheld');
    const { mint, commitment } = query;
    const head = await endpoint.call('getSlot', [{ commitment }], SlotShape);
    return readHolderPages(endpoint, query, {
      form: 'das',
      method: 'getTokenAccounts',
      leastSlot: Math.max(0, head - INDEX_SLOTS_BEHIND),
      params: (cursor) => {
        const what = { mint: mint.toBase58(), limit: DAS_PAGE_ACCOUNTS, options: { showZeroBalance: false } };
        return cursor === null ? what : { ...what, cursor };
      },
    });
  },
};

export const HOLDER_SOURCES: Readonly<Record<HolderSourceName, HolderSource>> = {
  plain: plainHolders,
  paged: pagedHolders,
  das: indexedHolders,
};
