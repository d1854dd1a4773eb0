import { type ComponentType, createContext, useContext } from 'react';
import type { Collection } from '../client/index.ts';
import type { Token } from './api/types.ts';
import type { OfferedWallet } from './wallet/wallet-context.ts';

export interface SiteExtension {
  /** Before the browser's wallets. */
  readonly wallet?: OfferedWallet;
  /** Default: the client's. */
  readonly collection?: Collection;
  readonly notice?: string;
  /** Beside a token's chart. */
  readonly TradePanel?: ComponentType<{ readonly token: Token }>;
  /** Below a launch's price. */
  readonly Balance?: ComponentType<{ readonly lamports: number }>;
}

export const ExtensionContext = createContext<SiteExtension>({});

export function useExtension(): SiteExtension {
  return useContext(ExtensionContext);
}
