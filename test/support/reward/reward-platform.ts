import { Keypair, type PublicKey } from '@solana/web3.js';
import * as switches from '../../../db/platform/switches.ts';
import type { Variables } from '../../../config/environment.ts';
import { createTransferCheckedInstruction } from '@solana/spl-token';
import { SEED_PAIRS, type SeedPair } from '../../../dev/seed/local-pairs.ts';
import type { RewardRound } from '../../../db/reward/reward-rounds.ts';
import { startMarketIndex } from '../../../workflows/market/messages.ts';
import { REWARD_ROUNDS } from '../../../workflows/reward/messages.ts';
import { runRound } from '../platform/run-round.ts';
import { accountOf, balanceOf, land, type Market, openAccount, openMarket } from '../claim/claim-market.ts';
import { eventually } from '../platform/eventually.ts';
import { type Platform, startPlatform } from '../platform/platform.ts';

/** A platform on which reward rounds take seconds, and what tests do on it. */
export interface RewardFixture {
  readonly platform: Platform;
  /** Launches a reward token. */
  launch(pair?: SeedPair, taxBps?: 100 | 300): Promise<Market>;
  /** Buys for so many raw quote tokens; resolves with the new holder once the index has settled it. */
  buy(market: Market, amount: bigint): Promise<Keypair>;
  /** Sends so many raw tokens to an owner; the giver is the trader of the market unless it is named. */
  give(market: Market, owner: PublicKey, raw: bigint, giver?: Keypair): Promise<void>;
  /** Waits until everything so far is final, and every trade is stored as such. */
  settle(market: Market): Promise<void>;
  /** Runs the planner as the schedule does; answers how many rounds it started. */
  plan(): Promise<number>;
  /** Plans, and follows a token's newest round to its end. */
  round(market: Market): Promise<RewardRound>;
  newest(market: Market): Promise<RewardRound | null>;
  quoteOf(market: Market, owner: PublicKey): Promise<bigint>;
  close(): Promise<void>;
}

/** Reward rounds take seconds. */
export const QUICK_ROUNDS: Variables = { REWARD_SALE_WINDOW_SECONDS: '1', REWARD_SNAPSHOT_WINDOW_SLOTS: '15' };

/** Starts such a platform; its index of the market runs. */
export async function startRewardFixture(variables: Variables = {}): Promise<RewardFixture> {
  const platform = await startPlatform({ variables: { ...QUICK_ROUNDS, MARKET_INDEX_EVERY_MS: '200', ...variables } });
  await switches.set(platform.db, 'rewardLaunches', 'open', { actor: 'test' });
  await startMarketIndex(platform.client);
  return rewardsOn(platform);
}

/** A reward fixture on a platform that was started with {@link QUICK_ROUNDS} and whose index runs. */
export function rewardsOn(platform: Platform): RewardFixture {
  const newest = (market: Market) => newestRound(platform, market.mint);
  const plan = () => runRound(platform, REWARD_ROUNDS);
  return {
    platform,
    newest,
    plan,
    launch: (pair = SEED_PAIRS[0]!, rewardTaxBps = 100) =>
      openMarket(platform, { mode: 'reward', rewardTaxBps, quoteMint: pair.mint.toBase58() }),
    buy: (market, amount) => buy(platform, market, amount),
    give: (market, owner, raw, giver = market.trader) => give(platform, market, owner, raw, giver),
    settle: (market) => settle(platform, market),
    quoteOf: (market, owner) => balanceOf(platform, market.quote, owner),
    round: async (market) => {
      await plan();
      return untilDone(platform, market);
    },
    close: () => platform.close(),
  };
}

/** A reward market with two holders, and what each had of the quote token before any round, raw units by owner. */
export interface HeldMarket {
  readonly market: Market;
  readonly holders: readonly Keypair[];
  readonly held: ReadonlyMap<string, bigint>;
}

/** Launches a reward token, of which two wallets buy, the second three times as much. */
export async function launchHeldMarket(ground: RewardFixture): Promise<HeldMarket> {
  const market = await ground.launch();
  const holders = [await ground.buy(market, 300_000_000n), await ground.buy(market, 900_000_000n)];
  const held = new Map<string, bigint>();
  for (const { publicKey } of holders) held.set(publicKey.toBase58(), await ground.quoteOf(market, publicKey));
  return { market, holders, held };
}

async function newestRound({ db }: Platform, mint: string): Promise<RewardRound | null> {
  const rounds = db.selectFrom('rewardRounds').selectAll().where('mint', '=', mint);
  return (await rounds.orderBy('plannedAt', 'desc').limit(1).executeTakeFirst()) ?? null;
}

/** The token's newest round once it is done. */
export function untilDone(platform: Platform, { mint }: Pick<Market, 'mint'>): Promise<RewardRound> {
  return eventually(async () => {
    const round = await newestRound(platform, mint);
    return round?.state === 'done' ? round : null;
  }, `the end of a reward round of ${mint}`);
}

async function buy(platform: Platform, market: Market, amount: bigint): Promise<Keypair> {
  const buyer = Keypair.generate();
  const gift = [{ mint: market.quote.mint.toBase58(), amount }];
  platform.chain.control.give(buyer.publicKey.toBase58(), 10n ** 9n, gift);
  await eventually(async () => ((await balanceOf(platform, market.quote, buyer.publicKey)) >= amount ? true : null));
  const { base, quote, pool } = market;
  await eventually(async () => {
    const state = await platform.exchange.readPool(pool);
    if (!state) throw new Error('the pool is not there');
    const group = platform.exchange.buildSwap({
      base,
      quote,
      side: 'buy',
      exact: 'in',
      amount,
      state,
      limit: 1n,
      owner: buyer.publicKey,
      inputTokenAccount: accountOf(quote, buyer.publicKey),
      outputTokenAccount: accountOf(base, buyer.publicKey),
    });
    const instructions = [openAccount(base, buyer.publicKey, buyer), ...group.instructions];
    return land(platform, buyer, instructions, group.signers);
  });
  return buyer;
}

async function give(
  platform: Platform,
  { base, trader }: Market,
  owner: PublicKey,
  raw: bigint,
  giver: Keypair,
): Promise<void> {
  const [from, to] = [accountOf(base, giver.publicKey), accountOf(base, owner)];
  const { mint, decimals, tokenProgram } = base;
  const transfer = createTransferCheckedInstruction(from, mint, to, giver.publicKey, raw, decimals, [], tokenProgram);
  await land(platform, trader, [openAccount(base, owner, trader), transfer], giver === trader ? [] : [giver]);
}

async function settle(platform: Platform, { mint, pool }: Market): Promise<void> {
  const confirmed = await platform.connection.getSlot('confirmed');
  await eventually(async () => ((await platform.connection.getSlot('finalized')) >= confirmed ? true : null));
  const history = await platform.connection.getSignaturesForAddress(pool, {}, 'confirmed');
  const last = Math.max(...history.filter(({ err }) => err === null).map(({ slot }) => slot));
  await eventually(async () => {
    const cursor = platform.db.selectFrom('poolCursors').select('finalizedSlot').where('mint', '=', mint);
    return (await cursor.executeTakeFirstOrThrow()).finalizedSlot >= BigInt(last) ? true : null;
  }, 'settled trades');
}
