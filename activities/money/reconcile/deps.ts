import type { PublicKey } from '@solana/web3.js';
import type { MoneyDeps } from '../deps.ts';

export interface ReconcileDeps extends MoneyDeps {
  readonly wallets: {
    /** Pays for purchases and holds them. */
    readonly treasury: PublicKey;
    /** Holds what harvests brought. */
    readonly platform: PublicKey;
  };
}
