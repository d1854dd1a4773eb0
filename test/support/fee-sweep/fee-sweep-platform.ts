import { createTransferCheckedInstruction } from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import {
  createFeeSweepActivities,
  type FeeSweepActivities,
  type FeeSweepDeps,
} from '../../../activities/fee-sweep/activities.ts';
import type { Claimable } from '../../../chain/exchange/exchange.ts';
import { openPlatformSigners } from '../../../chain/signers/platform-signers.ts';
import type { Variables } from '../../../config/environment.ts';
import { readWorkerConfig } from '../../../config/worker.ts';
import type { FeeSweep } from '../../../db/fee-sweep/fee-sweeps.ts';
import type { FeeHarvest } from '../../../db/fee-sweep/fee-harvests.ts';
import type { Burn } from '../../../db/burns.ts';
import * as switches from '../../../db/platform/switches.ts';
import { startMarketIndex } from '../../../workflows/market/messages.ts';
import { FEE_SWEEP_ROUND } from '../../../workflows/fee-sweep/messages.ts';
import { runRound } from '../platform/run-round.ts';
import { accountOf, land, type Market, openAccount, openMarket } from '../claim/claim-market.ts';
import { eventually } from '../platform/eventually.ts';
import { launchDepsOf } from '../platform/launch-deps.ts';
import { type Platform, startPlatform } from '../platform/platform.ts';
import { untilState } from '../platform/until-state.ts';

/** A token whose trades the index has heard of. */
export interface FeeMarket extends Market {
  /** Fee Key of the platform's position. */
  readonly platformKey: PublicKey;
  /** A trade that the market's index has seen when this resolves. */
  tradeSeen(side: 'buy' | 'sell', amount: bigint): Promise<void>;
  /** Sends so many raw launched tokens of the trader's to somebody. */
  send(owner: PublicKey, amount: bigint): Promise<void>;
  /** What the platform could collect now. */
  claimable(): Promise<Claimable>;
  /** Supply of the launched token, raw units at `confirmed`. */
  supply(): Promise<bigint>;
  /** What the books say of it, oldest first. */
  sweeps(): Promise<FeeSweep[]>;
  harvests(): Promise<FeeHarvest[]>;
  burns(): Promise<Burn[]>;
}

/** A platform that sweeps fees. */
export interface FeeFixture {
  readonly platform: Platform;
  /** What the steps need, to call one by hand. */
  readonly deps: FeeSweepDeps;
  readonly activities: FeeSweepActivities;
  readonly wallets: { readonly treasury: PublicKey; readonly platform: PublicKey; readonly rewards: PublicKey };
  /** Launches a token and waits until it is final. */
  open(launch?: object): Promise<FeeMarket>;
  /** One run of the scheduled workflow; answers how many sweeps came to their end. */
  run(workflowId?: string): Promise<number>;
  close(): Promise<void>;
}

/** Starts a platform with reward launches open and the market's index running. */
export async function startFeeFixture(variables: Variables = {}): Promise<FeeFixture> {
  const platform = await startPlatform({ variables: { MARKET_INDEX_EVERY_MS: '100', ...variables } });
  await switches.set(platform.db, 'rewardLaunches', 'open', { actor: 'test' });
  await startMarketIndex(platform.client);
  const own = launchDepsOf(platform);
  const config = readWorkerConfig(platform.variables);
  const signers = await openPlatformSigners(config.signers);
  const deps: FeeSweepDeps = {
    ...own,
    signers,
    exchange: platform.exchange,
    exchangeAt: (connection) => platform.adapter.open(connection, platform.chain.genesisHash),
    rules: { ...config.feeSweep, averageMinutes: config.trading.averageMinutes },
  };
  return {
    platform,
    deps,
    activities: createFeeSweepActivities(deps),
    wallets: {
      treasury: signers.treasury.publicKey,
      platform: signers.platform.publicKey,
      rewards: signers.rewards.publicKey,
    },
    open: (launch) => openFeeMarket(platform, launch),
    run: (workflowId) => runRound(platform, FEE_SWEEP_ROUND, workflowId),
    close: async () => {
      own.close();
      await platform.close();
    },
  };
}

async function openFeeMarket(platform: Platform, launch?: object): Promise<FeeMarket> {
  const { db, exchange, connection } = platform;
  const market = await openMarket(platform, launch);
  await untilState(platform, market.prepared, 'finalized');
  const platformKey = market.feeKeyMints[1];
  if (!platformKey) throw new Error('the launch has no second Fee Key');
  const { mint, pool } = market;
  return {
    ...market,
    platformKey,
    tradeSeen: async (side, amount) => {
      const before = await lookOf(platform, mint);
      await market.trade(side, amount);
      await eventually(async () => (await lookOf(platform, mint)) !== before || null, 'a look at the trade');
    },
    send: async (owner, amount) => {
      const { base, trader } = market;
      const [from, to] = [accountOf(base, trader.publicKey), accountOf(base, owner)];
      const { tokenProgram, decimals } = base;
      const parties = [from, base.mint, to, trader.publicKey] as const;
      await land(platform, trader, [
        openAccount(base, owner, trader),
        createTransferCheckedInstruction(...parties, amount, decimals, [], tokenProgram),
      ]);
    },
    claimable: () => exchange.readClaimable(pool, platformKey),
    supply: async () => BigInt((await connection.getTokenSupply(market.base.mint, 'confirmed')).value.amount),
    sweeps: () => db.selectFrom('feeSweeps').selectAll().where('mint', '=', mint).orderBy('number').execute(),
    harvests: () => db.selectFrom('feeHarvests').selectAll().where('mint', '=', mint).orderBy('number').execute(),
    burns: () => db.selectFrom('burns').selectAll().where('mint', '=', mint).orderBy('id').execute(),
  };
}

/** The account of a token's pool as the index saw it last. */
async function lookOf({ db }: Platform, mint: string): Promise<string | null> {
  const cursors = db.selectFrom('poolCursors').select('seen').where('mint', '=', mint);
  return (await cursors.executeTakeFirstOrThrow()).seen;
}
