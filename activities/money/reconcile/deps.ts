import type { PublicKey } from '@solana/web3.js';
import type { KeySource } from '../../../chain/launch/own-launch.ts';
import type { MoneyDeps } from '../deps.ts';

export interface ReconcileDeps extends MoneyDeps {
  readonly wallets: {
    /** Pays for purchases and holds them. */
    readonly treasury: PublicKey;
    /** Holds what harvests brought, receives every launch's second Fee Key and signs every claim. */
    readonly platform: PublicKey;
  };
}

/** Also finds what the chain or Temporal has and no row names. */
export interface ComparisonDeps extends ReconcileDeps, KeySource {
  /** Ids of running workflows of launches, airdrops and claims, as `launch-<quoteId>`. */
  readonly runningWorkflows: () => Promise<readonly string[]>;
  /** Signatures of movements whose signers this process has read. */
  readonly examined: Set<string>;
}
