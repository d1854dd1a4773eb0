import type { ClaimDeps } from '../../../activities/claim/activities.ts';
import type { Connection } from '@solana/web3.js';
import { launchDepsOf, type OwnDepsOptions } from '../platform/launch-deps.ts';
import type { Platform } from '../platform/platform.ts';

/** What the steps of a claim need, to call one of them by hand. `close` as in `launchDepsOf`. */
export function claimDepsOf(platform: Platform, options: OwnDepsOptions = {}): ClaimDeps & { close(): void } {
  const deps = launchDepsOf(platform, options);
  const { exchange, platform: wallet } = deps.builder;
  const settings = { ...deps.settings, killAfterMs: 1_000 };
  const exchangeAt = (connection: Connection) => platform.adapter.open(connection, platform.chain.genesisHash);
  return { ...deps, exchange, exchangeAt, platform: wallet, settings };
}
