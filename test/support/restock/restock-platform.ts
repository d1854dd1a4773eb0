import { getAssociatedTokenAddressSync } from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import type { LaunchDeps } from '../../../activities/launch/activities.ts';
import {
  createRestockActivities,
  type RestockActivities,
  type RestockDeps,
} from '../../../activities/restock/activities.ts';
import { restockWallet } from '../../../activities/restock/swap.ts';
import { openPlatformSigners } from '../../../chain/signers/platform-signers.ts';
import { createJupiterSwaps } from '../../../chain/aggregator/jupiter-swaps.ts';
import type { Variables } from '../../../config/environment.ts';
import { readWorkerConfig } from '../../../config/worker.ts';
import * as pairInventory from '../../../db/inventory/pair-inventory.ts';
import type { RestockRound } from '../../../db/restock/restock-rounds.ts';
import type { SeedPair } from '../../../dev/seed/local-pairs.ts';
import { RESTOCK_ROUND } from '../../../workflows/restock/messages.ts';
import { runRound } from '../platform/run-round.ts';
import { launchDepsOf } from '../platform/launch-deps.ts';
import { type Platform, startPlatform } from '../platform/platform.ts';
import { type SwapServer, startSwapServer } from './swap-server.ts';

/** A platform that restocks, and who sells to it. */
export interface RestockFixture {
  readonly platform: Platform;
  readonly market: SwapServer;
  /** What the steps need, to call one by hand. */
  readonly deps: RestockDeps;
  readonly activities: RestockActivities;
  readonly treasury: PublicKey;
  /** The wallet that swaps. */
  readonly wallet: PublicKey;
  /** Wants so many whole tokens more of a pair than the treasury holds; null ends that. */
  want(pair: SeedPair, more: bigint | null): Promise<void>;
  /** One run of the scheduled workflow; answers how many purchases it made. */
  run(workflowId?: string): Promise<number>;
  rounds(): Promise<RestockRound[]>;
  /** Raw units in the treasury or another owner's account. */
  stock(pair: SeedPair, owner?: PublicKey): Promise<bigint>;
  close(): Promise<void>;
}

/** Starts a platform whose aggregator is the local market. */
export async function startRestockFixture(variables: Variables = {}): Promise<RestockFixture> {
  const market = await startSwapServer();
  const platform = await startPlatform({
    variables: { JUPITER_URL: market.url, RESTOCK_DAY_LAMPORTS: '1000000000000', ...variables },
  });
  await market.openOn(platform.chain.rpcUrl);
  const own = launchDepsOf(platform);
  const deps = await restockDeps(platform, own, market);
  const wallet = restockWallet(deps, deps.seeds[0]?.id ?? '').publicKey;
  const stock = (pair: SeedPair, owner = deps.signers.treasury.publicKey) => stockOf(platform, pair, owner);
  return {
    platform,
    market,
    deps,
    wallet,
    stock,
    activities: createRestockActivities(deps),
    treasury: deps.signers.treasury.publicKey,
    want: async (pair, more) => {
      const marks = more === null ? null : (await stock(pair)) + more * 10n ** BigInt(pair.decimals);
      const settings = { reserveRaw: 0n, restockBelowRaw: marks, restockToRaw: marks, hourRaw: null };
      await pairInventory.set(platform.db, pair.mint.toBase58(), settings, { actor: 'test' });
    },
    run: (workflowId) => runRound(platform, RESTOCK_ROUND, workflowId),
    rounds: () => platform.db.selectFrom('restockRounds').selectAll().orderBy('plannedAt').execute(),
    close: async () => {
      own.close();
      await platform.close();
      await market.close();
    },
  };
}

async function restockDeps(platform: Platform, own: LaunchDeps, market: SwapServer): Promise<RestockDeps> {
  const config = readWorkerConfig(platform.variables);
  return {
    ...own,
    limits: config.restock.limits,
    programs: [],
    aggregator: createJupiterSwaps({ url: market.url }),
    signers: await openPlatformSigners(config.signers),
  };
}

async function stockOf({ connection }: Platform, pair: SeedPair, owner: PublicKey): Promise<bigint> {
  const account = getAssociatedTokenAddressSync(pair.mint, owner, true, pair.tokenProgram);
  const info = await connection.getAccountInfo(account, 'confirmed');
  return info ? info.data.readBigUInt64LE(64) : 0n;
}
