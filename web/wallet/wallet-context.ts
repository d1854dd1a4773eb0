import { createContext, useContext } from 'react';
import type { Signer } from '../../client/index.ts';

/** A wallet that can be connected. */
export interface OfferedWallet {
  readonly name: string;
  /** Data URL; null for the letter of its name. */
  readonly icon: string | null;
  /** What it is, where the name does not say it. */
  readonly note?: string;
  /** Asks the wallet for its account. `silent` asks nobody and rejects where somebody would have to be asked. */
  readonly connect: (silent: boolean) => Promise<Signer>;
  /** Tells the account that the wallet shares now, null for none, whenever that changes; answers what ends it. */
  readonly watch: (onChange: (signer: Signer | null) => void) => () => void;
}

/** The wallets of this browser, and the one that is connected. */
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

/** The wallets of this browser. */
export function useWallet(): WalletState {
  return useContext(WalletContext);
}
