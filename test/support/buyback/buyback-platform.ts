import {
  type BuybackActivities,
  type BuybackDeps,
  createBuybackActivities,
} from '../../../activities/buyback/activities.ts';
import { agreedAverageOf, AverageUnknownError } from '../../../activities/trading/average.ts';
import type { Variables } from '../../../config/environment.ts';
import { readWorkerConfig } from '../../../config/worker.ts';
import type { Burn } from '../../../db/burns.ts';
import * as buybackBudgets from '../../../db/buyback/buyback-budgets.ts';
import type { BuybackBudget } from '../../../db/buyback/buyback-budgets.ts';
import type { BuybackRound } from '../../../db/buyback/buyback-rounds.ts';
import type { BuybackKind } from '../../../domain/buyback/buyback.ts';
import { BUYBACK_ROUND } from '../../../workflows/buyback/messages.ts';
import { runRound } from '../platform/run-round.ts';
import { balanceOf } from '../claim/claim-market.ts';
import { type FeeFixture, type FeeMarket, startFeeFixture } from '../fee-sweep/fee-sweep-platform.ts';
import { eventually } from '../platform/eventually.ts';
import { launchDepsOf } from '../platform/launch-deps.ts';
import { LANDING, type Platform } from '../platform/platform.ts';

/** A platform that buys back and burns. */
export interface BuybackFixture extends FeeFixture {
  /** What the steps need, to call one by hand, with this platform token. */
  buybackDeps(platformToken?: string): BuybackDeps;
  buybacks(platformToken?: string): BuybackActivities;
  /** Restarts the worker with this token as the platform's. */
  restartWith(platformToken: string): Promise<void>;
  /** One run of the scheduled workflow; answers how many purchases came to their end. */
  buyBack(workflowId?: string): Promise<number>;
  /** Trades so that fees accrue, and sweeps them once the trades are final. */
  earn(market: FeeMarket, quoteRaw: bigint): Promise<void>;
  budget(kind: BuybackKind, market: FeeMarket): Promise<BuybackBudget>;
  rounds(kind?: BuybackKind): Promise<BuybackRound[]>;
  /** Burns of bought tokens, oldest first. */
  burned(kind: BuybackKind): Promise<Burn[]>;
  /** Waits until the index has what the chain has finalized of a market, as purchases ask for it. */
  untilIndexed(market: FeeMarket): Promise<void>;
  /** Raw units of both tokens in the treasury. */
  treasury(market: FeeMarket): Promise<{ base: bigint; quote: bigint }>;
}

/** Small trades already bring something to buy with. */
const VARIABLES: Variables = { FEE_SWEEP_MIN_USD: '0.01', BUYBACK_MIN_USD: '0.01' };

/** Starts such a platform; it has no platform token yet. */
export async function startBuybackFixture(variables: Variables = {}): Promise<BuybackFixture> {
  const ground = await startFeeFixture({ ...VARIABLES, ...variables });
  const { platform, wallets } = ground;
  const own = launchDepsOf(platform);
  const buybackDeps = (platformToken?: string) => depsOf(ground, own.relay, platformToken);
  return {
    ...ground,
    buybackDeps,
    buybacks: (platformToken) => createBuybackActivities(buybackDeps(platformToken)),
    restartWith: async (platformToken) => {
      await platform.worker.stop();
      await platform.worker.start(readWorkerConfig(withToken(platform, platformToken)));
    },
    buyBack: (workflowId) => runRound(platform, BUYBACK_ROUND, workflowId),
    earn: (market, quoteRaw) => earn(ground, market, quoteRaw),
    budget: (kind, market) => budgetOf(platform, kind, market),
    rounds: (kind) => roundsOf(platform, kind),
    burned: (kind) => platform.db.selectFrom('burns').selectAll().where('kind', '=', kind).orderBy('id').execute(),
    untilIndexed: (market) => untilIndexed(ground, market),
    treasury: async ({ base, quote }) => ({
      base: await balanceOf(platform, base, wallets.treasury),
      quote: await balanceOf(platform, quote, wallets.treasury),
    }),
    close: async () => {
      own.close();
      await ground.close();
    },
  };
}

function depsOf({ platform, deps }: FeeFixture, relay: BuybackDeps['relay'], token?: string): BuybackDeps {
  const { db, rpc, lanes, signers, exchange, exchangeAt, spendablePrices, logger, now, sleep, heartbeat } = deps;
  const { buyback, trading, platformToken } = readWorkerConfig(withToken(platform, token));
  const rules = { ...buyback, ...trading, platformToken };
  return {
    db,
    rpc,
    lanes,
    signers,
    exchange,
    exchangeAt,
    spendablePrices,
    logger,
    now,
    sleep,
    heartbeat,
    relay,
    rules,
    settings: LANDING,
  };
}

function withToken({ variables }: Platform, platformToken?: string): Variables {
  return { ...variables, ...(platformToken !== undefined && { PLATFORM_TOKEN_MINT: platformToken }) };
}

async function earn(ground: FeeFixture, market: FeeMarket, quoteRaw: bigint): Promise<void> {
  await market.tradeSeen('buy', quoteRaw);
  await market.tradeSeen('sell', (await market.holdings(market.trader.publicKey)).base / 2n);
  await eventually(() => isSettled(ground.platform, market), 'final trades');
  await ground.run();
}

async function untilIndexed({ platform, deps }: FeeFixture, { mint }: FeeMarket): Promise<void> {
  const { averageMinutes } = readWorkerConfig(platform.variables).trading;
  await eventually(
    () =>
      agreedAverageOf(deps, mint, averageMinutes).catch((error: unknown) => {
        if (error instanceof AverageUnknownError) return null;
        throw error;
      }),
    `an index that has all of the market of ${mint}`,
  );
}

async function isSettled({ db }: Platform, { mint }: FeeMarket): Promise<true | null> {
  const swaps = await db.selectFrom('swaps').select('finalized').where('mint', '=', mint).execute();
  return swaps.length > 0 && swaps.every(({ finalized }) => finalized) ? true : null;
}

async function budgetOf({ db }: Platform, kind: BuybackKind, { quote }: FeeMarket): Promise<BuybackBudget> {
  const budgets = await buybackBudgets.all(db);
  const budget = budgets.find((one) => one.kind === kind && one.quoteMint === quote.mint.toBase58());
  if (!budget) throw new Error(`nothing is set aside for ${kind} in ${quote.mint.toBase58()}`);
  return budget;
}

function roundsOf({ db }: Platform, kind?: BuybackKind): Promise<BuybackRound[]> {
  const rounds = db.selectFrom('buybackRounds').selectAll();
  return (kind === undefined ? rounds : rounds.where('kind', '=', kind)).orderBy('plannedAt').orderBy('id').execute();
}
