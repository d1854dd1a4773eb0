import type { PublicKey } from '@solana/web3.js';
import type { KeyContext, LaunchSeed } from '../../../chain/keys/launch-keys.ts';
import type { ChainTransaction } from '../../../db/schema/money.ts';
import type { UnchargedLaunch } from '../../../db/money/uncharged.ts';
import type { Purpose } from '../../../domain/purpose.ts';
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
export interface ComparisonDeps extends ReconcileDeps {
  /** Derive the keys by which a launch is recognized. */
  readonly seeds: readonly LaunchSeed[];
  readonly context: KeyContext;
  /** Compares launches that the books call uncharged with the chain. */
  readonly compareUncharged: (deps: ReconcileDeps, page: readonly UnchargedLaunch[]) => Promise<Finding[]>;
  /** Names the purpose that a movement which makes this account, base58, would have. */
  readonly purposeOfAccount: (account: string) => Purpose;
  /** Comparisons that nouns add. */
  readonly checks: readonly ((deps: ComparisonDeps) => Promise<Finding[]>)[];
  /** Ids of running workflows of launches, airdrops and claims, as `launch-<quoteId>`. */
  readonly runningWorkflows: () => Promise<readonly string[]>;
  /** Signatures of movements whose signers this process has read. */
  readonly examined: Set<string>;
}

/** Subject of the finding if no launch could be read. */
export const ALL_LAUNCHES = 'launches';
