import { createContext, useContext } from 'react';
import type { Signer } from '../../client/index.ts';

export interface OfferedWallet {
  readonly name: string;
  /** Null: the first letter. */
  readonly icon: string | null;
  readonly note?: string;
  /** `silent` rejects if a prompt would be needed. */
  readonly connect: (silent: boolean) => Promise<Signer>;
  /** Null for none; returns an unsubscribe function. */
  readonly watch: (onChange: (signer: Signer | null) => void) => () => void;
}

export interface WalletState {
  readonly offered: readonly OfferedWallet[];
  readonly signer: Signer | null;
  readonly walletName: string | null;
  readonly connect: (wallet: OfferedWallet) => Promise<void>;
  readonly disconnect: () => void;
}

export const WalletContext = createContext<WalletState>({
  offered: [],
  signer: null,
  walletName: null,
  connect: async () => undefined,
  disconnect: () => undefined,
});

export function useWallet(): WalletState {
  return useContext(WalletContext);
}
