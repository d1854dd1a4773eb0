import type { PublicKey } from '@solana/web3.js';
import type { MoneyDeps } from '../deps.ts';

/** What comparing books and chain needs from outside. */
export interface ReconcileDeps extends MoneyDeps {
  readonly wallets: {
    /** Holds what purchases are paid from and what they bought. */
    readonly treasury: PublicKey;
    /** Holds what harvests brought of launched tokens. */
    readonly platform: PublicKey;
  };
}
