import type { Api } from '../../http/api.ts';
import { readWallets, type WalletEntry } from '../wallets/wallet-list.ts';

/** A platform's statements about its wallets and a coin. */
export interface ShownLaunch {
  readonly wallets: () => Promise<readonly WalletEntry[]>;
  readonly coin: (mint: string) => Promise<{ readonly pool: string; readonly quoteMint: string }>;
  readonly source: string;
}

/** Reads them from an API. */
export function shownLaunch(api: Api): ShownLaunch {
  return {
    source: api.url,
    wallets: () => readWallets(api),
    coin: async (mint) => (await api.ask('GET /tokens/{mint}', { path: { mint } })).token,
  };
}
