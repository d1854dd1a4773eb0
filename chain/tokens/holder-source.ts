import type { RpcEndpoint } from '../rpc/json-rpc.ts';
import { SlotShape } from '../rpc/shapes.ts';
import type { HolderAnswer } from './holder-answer.ts';
import { DAS_PAGE_ACCOUNTS } from './holder-page.ts';
import { readHolderPages } from './holder-pages.ts';
import { accountsQuery, askHolders, type HolderQuery } from './holders.ts';

/** How endpoints are asked who holds a token. */
export interface HolderSource {
  /** How much older than the beginning of the reading an answer may be, in ms. */
  readonly behindMs: number;
  /** What one endpoint says of all accounts of a token. */
  ask(endpoint: RpcEndpoint, query: HolderQuery): Promise<HolderAnswer>;
}

/** The names of the adapters. */
export type HolderSourceName = 'plain' | 'paged' | 'das';

/** Accounts that `getProgramAccountsV2` answers at most. */
const PAGE_ACCOUNTS = 10_000;

/** How far an index may be behind its node, in slots; and as long as these take, in ms. */
const [INDEX_SLOTS_BEHIND, INDEX_BEHIND_MS] = [25, 10_000];

/** One `getProgramAccounts`, all of it of one slot. Providers refuse it for tokens with millions of accounts. */
export const plainHolders: HolderSource = { behindMs: 0, ask: askHolders };

/** `getProgramAccountsV2`: 10,000 accounts a call, each page of a slot of its own. */
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
 * `getTokenAccounts` of the Digital Asset Standard as Helius has it: 1,000 accounts with a balance a call, by an index that takes no commitment
 * and says up to which slot it has everything. That has to be near the head that the same endpoint names before.
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

/** The adapters by name. */
export const HOLDER_SOURCES: Readonly<Record<HolderSourceName, HolderSource>> = {
  plain: plainHolders,
  paged: pagedHolders,
  das: indexedHolders,
};
