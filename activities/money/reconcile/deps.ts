import type { PublicKey } from '@solana/web3.js';
import type { KeySource } from '../../../chain/launch/own-launch.ts';
import type { ChainTransaction } from '../../../db/schema/money.ts';
import type { Finding } from '../../../domain/money/finding.ts';
import type { MoneyDeps } from '../deps.ts';

/** Transactions that no lane proves the end of. */
export interface OutsideLanes {
  /** @throws RemedyRefusedError unless it is proven that it is in no block and never will be */
  prove(deps: ReconcileDeps, row: ChainTransaction): Promise<void>;
  /** @throws RemedyRefusedError while the work that signed it goes on */
  assertLeft(deps: ReconcileDeps, row: ChainTransaction): Promise<void>;
}

export interface ReconcileDeps extends MoneyDeps {
  readonly outsideLanes: OutsideLanes;
  readonly wallets: {
    /** Pays for purchases and holds them. */
    readonly treasury: PublicKey;
    /** Holds what harvests brought, receives every launch's second Fee Key and signs every claim. */
    readonly platform: PublicKey;
  };
}

/** Also finds what the chain or Temporal has and no row names. */
export interface ComparisonDeps extends ReconcileDeps, KeySource {
  /** Comparisons that nouns add. */
  readonly checks: readonly ((deps: ComparisonDeps) => Promise<Finding[]>)[];
  /** Ids of running workflows of launches, airdrops and claims, as `launch-<quoteId>`. */
  readonly runningWorkflows: () => Promise<readonly string[]>;
  /** Signatures of movements whose signers this process has read. */
  readonly examined: Set<string>;
}
