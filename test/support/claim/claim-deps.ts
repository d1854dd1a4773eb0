import type { Connection } from '@solana/web3.js';
import type { ClaimDeps } from '../../../activities/claim/activities.ts';
import { createExchange } from '../../../chain/exchange/create-exchange.ts';
import { readWorkerConfig } from '../../../config/worker.ts';
import { launchDepsOf, type OwnDepsOptions } from '../platform/launch-deps.ts';
import type { Platform } from '../platform/platform.ts';

/** What the steps of a claim need, to call one of them by hand. `close` as in `launchDepsOf`. */
export function claimDepsOf(platform: Platform, options: OwnDepsOptions = {}): ClaimDeps & { close(): void } {
  const deps = launchDepsOf(platform, options);
  const { exchange, platform: wallet } = deps.builder;
  const settings = { ...deps.settings, killAfterMs: 1_000 };
  const choice = readWorkerConfig(platform.variables).exchange;
  const exchangeAt = (connection: Connection) => createExchange(choice, connection, platform.chain.genesisHash);
  return { ...deps, exchange, exchangeAt, platform: wallet, settings };
}
