import { keptKeys, sharedStorage } from '../../storage/browser-storage.ts';
import { type OneTab, oneTab } from '../../storage/one-tab.ts';
import { type SignedStore, signedStore } from '../../storage/signed-store.ts';

const CLAIMS_KEY = 'slipway:claim/';
const ASIDE_KEY = 'slipway:claim-aside/';

export function storeOf(mint: string): SignedStore {
  return signedStore(sharedStorage(), { base: CLAIMS_KEY + mint, what: 'claim of this token', id: 'intentId' });
}

/** One tab at a time signs and follows claims of this token. */
export function tabOf(mint: string): OneTab {
  return oneTab(CLAIMS_KEY + mint, 'a claim of this token');
}

/** Lists mints with a signed claim and no outcome yet. */
export function keptMints(): string[] {
  const mints = keptKeys()
    .filter((key) => key.startsWith(CLAIMS_KEY))
    .map((key) => key.slice(CLAIMS_KEY.length).split('/')[0] ?? '');
  return [...new Set(mints)];
}

export async function putClaimAside(mint: string): Promise<void> {
  const store = storeOf(mint);
  await store.load();
  store.putAside(`${ASIDE_KEY}${mint}/${new Date().toISOString()}`);
}

export interface GuardedStores {
  readonly storeOf: (mint: string) => SignedStore;
  /** Undefined before `storeOf`. */
  readonly known: (mint: string) => SignedStore | undefined;
  /** Rejects, before anything is signed, if another tab signs or keeps a claim of this token. */
  readonly take: (mint: string) => Promise<true>;
  readonly release: (mint: string) => void;
  readonly releaseAll: () => void;
}

/** A store and a lock for each token, as a single claim has them. */
export function guardedStores(open = storeOf, lockOf = tabOf): GuardedStores {
  const stores = new Map<string, SignedStore>();
  const tabs = new Map<string, OneTab>();
  const of = (mint: string) => {
    const store = stores.get(mint) ?? open(mint);
    stores.set(mint, store);
    return store;
  };
  return {
    storeOf: of,
    known: (mint) => stores.get(mint),
    take: async (mint) => {
      const tab = lockOf(mint);
      await tab.take();
      tabs.set(mint, tab);
      of(mint).mustBeAlone();
      return true;
    },
    release: (mint) => tabs.get(mint)?.release(),
    releaseAll: () => {
      for (const tab of tabs.values()) tab.release();
    },
  };
}
