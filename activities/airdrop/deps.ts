import type { LaunchDeps } from '../launch/deps.ts';

/** How airdrops are delivered. */
export interface AirdropSettings {
  /** Transactions of one airdrop that are under way at once. */
  readonly batchesAtOnce: number;
}

/** What deliveries use from outside. */
export interface AirdropDeps extends Omit<LaunchDeps, 'relay'> {
  readonly airdrop: AirdropSettings;
}
