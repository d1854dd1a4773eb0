import type { LaunchDeps } from '../launch/deps.ts';
import type { FollowSettings } from '../money/deps.ts';

/** How airdrops are delivered. */
export interface AirdropSettings {
  /** Transactions of one airdrop that are under way at once. */
  readonly batchesAtOnce: number;
  /** How closely each is followed: there are many, and nobody waits. */
  readonly follow: FollowSettings;
}

/** What deliveries use from outside. */
export interface AirdropDeps extends Omit<LaunchDeps, 'relay'> {
  readonly airdrop: AirdropSettings;
}
