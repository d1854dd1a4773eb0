import type { LaunchDeps } from '../launch/deps.ts';

export interface AirdropSettings {
  /** Transactions of one airdrop. */
  readonly batchesAtOnce: number;
}

export interface AirdropDeps extends Omit<LaunchDeps, 'relay'> {
  readonly airdrop: AirdropSettings;
}
