import type { RewardDeps } from '../../../activities/reward/activities.ts';
import { openPlatformSigners } from '../../../chain/signers/platform-signers.ts';
import { readWorkerConfig } from '../../../config/worker.ts';
import { launchDepsOf, type OwnDepsOptions } from '../platform/launch-deps.ts';
import { LANDING, type Platform } from '../platform/platform.ts';

/**
 * What the steps of a round need, to call one of them by hand: a second worker beside the platform's own. Its `close` ends its
 * connection to the block engine.
 */
export async function rewardDepsOf(
  platform: Platform,
  options: OwnDepsOptions = {},
): Promise<RewardDeps & { close(): void }> {
  const own = launchDepsOf(platform, options);
  const { signers, reward, trading } = readWorkerConfig(platform.variables);
  return {
    ...own,
    settings: LANDING,
    signers: await openPlatformSigners(signers),
    exchange: platform.exchange,
    exchangeAt: (connection) => platform.adapter.open(connection, platform.chain.genesisHash),
    rewards: { ...reward, ...trading },
  };
}
