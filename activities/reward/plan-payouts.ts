import { ACCOUNT_SIZE, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import type { TokenInfo } from '../../chain/exchange/exchange.ts';
import { fitsOneTransaction, type PayoutRoom } from '../../chain/reward/pay-holders.ts';
import * as rewardPayouts from '../../db/reward/reward-payouts.ts';
import type { NewRewardPayout } from '../../db/reward/reward-payouts.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import type { RewardRound, RewardValuation } from '../../db/reward/reward-rounds.ts';
import * as rewardSnapshots from '../../db/reward/reward-snapshots.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import { priceInUsd } from '../../domain/pool-price.ts';
import { type RewardCandidate, type RewardSplit, splitRewards } from '../../domain/reward/split-among-holders.ts';
import { type LeftOut, type ShortOfMinimum, shortOfMinimum, withoutShare } from '../../domain/reward/left-out.ts';
import { leastBalances } from '../../domain/reward/least-balances.ts';
import { lamportsInToken, rawWorthAtLeast } from '../../domain/reward/usd-amounts.ts';
import type { RewardDeps } from './deps.ts';
import { type EligibleHolder, siftHolders } from './eligible-owners.ts';
import { readRewardMarket, type RewardMarket } from './market.ts';
import { bookStrays } from './strays.ts';
import { valuationOf } from './valuation.ts';
import { assertNothingForgotten } from '../money/learn.ts';

/**
 * Divides what the pot holds by the books among those who held enough at every observation, and writes down who gets how
 * much in which transaction, before any of it is sent. Without anybody the round ends, and all of it stays for the next.
 */
export async function planPayouts(deps: RewardDeps, round: RewardRound): Promise<void> {
  if (round.state !== 'selling') return;
  const market = await readRewardMarket(deps, round.mint);
  // A payout without a plan was made by a run that this database has forgotten; who got what is not known any more. From here on none
  // can land any more that the lanes do not tell of now.
  await assertNothingForgotten(deps);
  await deps.lanes.learn();
  const strays = await bookStrays(deps, market);
  if (strays.some(({ kind }) => kind === 'payout') || (await hasPaid(deps, round))) {
    return rewardRounds.end(deps.db, round.id, 'was paid by a plan that the database has lost');
  }
  // What was learned just now is young again.
  await assertNothingForgotten(deps);
  await assertReady(deps, round);
  const valuation = await valuationOf(deps, market);
  const { holders, minimumRaw, short, excluded } = await holdersOf(deps, round, market, valuation);
  const { quoteRaw: budgetRaw } = await rewardTransactions.funds(deps.db, round.mint);
  const split = await divide(deps, market, valuation, budgetRaw, holders);
  const payouts = await payoutsOf(deps, round, market, split);
  await rewardPayouts.plan(deps.db, {
    roundId: round.id,
    mint: round.mint,
    budgetRaw,
    valuation,
    payouts,
    holders: holders.length,
    minimumRaw,
    leastPayoutRaw: split.leastPayoutRaw,
    leftOut: {
      owners: [...short.notThroughout, ...excluded, ...withoutShare(split.candidates, split.shares)],
      belowMinimum: short.belowMinimum,
    },
    note: payouts.length > 0 ? null : 'nobody’s share reaches the least payout',
  });
  const recipients = split.shares.length;
  deps.logger.info({ roundId: round.id, budgetRaw, holders: holders.length, recipients }, 'reward payouts planned');
}

/**
 * Whether holders were paid by what is booked of a round that has no payouts yet: a collection was planned under the number of a
 * forgotten payout, and found that it had happened.
 */
async function hasPaid({ db }: RewardDeps, { id }: RewardRound): Promise<boolean> {
  return (await rewardTransactions.ofRound(db, id)).some(({ state, quoteRaw }) => state === 'done' && quoteRaw < 0n);
}

/** The steps before it must have come to their end. */
async function assertReady({ db }: RewardDeps, { id }: RewardRound): Promise<void> {
  const open = (await rewardTransactions.ofRound(db, id)).filter(({ state }) => state === 'planned');
  if (open.length > 0) throw new Error(`${open.length} transactions of reward round ${id} are not settled`);
}

/** The holders of a round, and those who are none of them. */
interface RoundHolders {
  readonly holders: readonly EligibleHolder[];
  /** What each of them held at least, raw units. */
  readonly minimumRaw: bigint;
  readonly short: ShortOfMinimum;
  /** Those who held enough and earn nothing for what they are. */
  readonly excluded: readonly LeftOut[];
}

/** A split with what it was made of. */
interface Division extends RewardSplit {
  readonly candidates: readonly RewardCandidate[];
  /** What a payout has to bring, raw quote units. */
  readonly leastPayoutRaw: bigint;
}

async function holdersOf(
  deps: RewardDeps,
  { id }: RewardRound,
  market: RewardMarket,
  { averagePrice, quoteUsd }: RewardValuation,
): Promise<RoundHolders> {
  const observations = await rewardSnapshots.balances(deps.db, id);
  const balances = leastBalances(observations);
  const priceUsd = priceInUsd(averagePrice, quoteUsd);
  const minimumRaw = rawWorthAtLeast(deps.rewards.minHoldingUsd, market.base.decimals, priceUsd);
  const { eligible: holders, leftOut: excluded } = await siftHolders(deps, market, balances, minimumRaw);
  return { holders, minimumRaw, short: shortOfMinimum(observations, balances, minimumRaw), excluded };
}

async function divide(
  deps: RewardDeps,
  { quote }: RewardMarket,
  { quoteUsd, solUsd }: RewardValuation,
  budgetRaw: bigint,
  holders: readonly EligibleHolder[],
): Promise<Division> {
  // One that is not final yet can be gone when it is paid: it is opened. What endpoints differ about is looked at more closely.
  const disputed = holders.flatMap(({ account, hasAccount }) => (hasAccount === null ? [account] : []));
  const present = await deps.rpc.presentAccounts(disputed);
  const opened = holders.map(({ account, hasAccount }) => !(hasAccount ?? present.has(account)));
  const rentLamports = opened.includes(true) ? await deps.rpc.agreedRent(accountBytes(quote)) : 0n;
  const rentRaw = lamportsInToken(rentLamports, { solUsd, tokenUsd: quoteUsd, decimals: quote.decimals });
  const candidates = holders.map(({ owner, balanceRaw }, index) => ({
    owner: owner.toBase58(),
    balanceRaw,
    rentRaw: opened[index] === true ? rentRaw : 0n,
  }));
  const minimumRaw = rawWorthAtLeast(deps.rewards.minPayoutUsd, quote.decimals, quoteUsd);
  const leastPayoutRaw = minimumRaw > 0n ? minimumRaw : 1n;
  return { ...splitRewards(budgetRaw, candidates, leastPayoutRaw), candidates, leastPayoutRaw };
}

/** Bytes of an associated account: of Token-2022 with an immutable owner, and with a transfer tax where the mint has one. */
function accountBytes({ tokenProgram, transferFee }: TokenInfo): number {
  if (tokenProgram.equals(TOKEN_PROGRAM_ID)) return ACCOUNT_SIZE;
  return transferFee ? TAXED_ACCOUNT_BYTES : TOKEN_2022_ACCOUNT_BYTES;
}

const TOKEN_2022_ACCOUNT_BYTES = 170;
const TAXED_ACCOUNT_BYTES = 182;

/** Who gets what in which transaction. The treasury pays the rent of the accounts that are made, and gets what it is worth. */
async function payoutsOf(
  deps: RewardDeps,
  round: RewardRound,
  { quote }: RewardMarket,
  { shares }: RewardSplit,
): Promise<NewRewardPayout[]> {
  const used = await rewardTransactions.ofRound(deps.db, round.id);
  const first = 1 + used.reduce((last, { n }) => Math.max(last, n), -1);
  const rentRaw = shares.reduce((sum, share) => sum + share.rentRaw, 0n);
  const treasury: PublicKey = deps.signers.treasury.publicKey;
  const rent = { owner: treasury.toBase58(), kind: 'rent' as const, balanceRaw: 0n, amountRaw: rentRaw, rentRaw: 0n };
  const holders = shares.map(({ owner, balanceRaw, amountRaw, rentRaw: deducted }) => ({
    owner,
    kind: 'holder' as const,
    balanceRaw,
    amountRaw,
    rentRaw: deducted,
  }));
  return inBatches(quote, [...holders, ...(rentRaw > 0n ? [rent] : [])], first);
}

/**
 * Fills one transaction after the other: first with those whose account is there, so that hardly one is mixed. The rents go in a
 * transaction of their own: what one with holders moves is what its row says, and whoever adds its transfers up finds it.
 */
function inBatches(quote: TokenInfo, payouts: readonly Omit<NewRewardPayout, 'n'>[], first: number): NewRewardPayout[] {
  let n = first;
  let room: PayoutRoom = { paid: 0, opened: 0 };
  const inOrder = payouts.toSorted((a, b) => Number(opensAccount(a)) - Number(opensAccount(b)));
  return inOrder.map((payout) => {
    const isFull = payout.kind === 'rent' || !fitsOneTransaction(quote, withOne(room, payout));
    if (isFull) [n, room] = [n + 1, { paid: 0, opened: 0 }];
    room = withOne(room, payout);
    return { ...payout, n };
  });
}

function withOne({ paid, opened }: PayoutRoom, payout: Pick<NewRewardPayout, 'kind' | 'rentRaw'>): PayoutRoom {
  return opensAccount(payout) ? { paid, opened: opened + 1 } : { paid: paid + 1, opened };
}

/** The treasury's account may be missing, too; it is nobody's rent but its own. */
export function opensAccount({ kind, rentRaw }: Pick<NewRewardPayout, 'kind' | 'rentRaw'>): boolean {
  return kind === 'rent' || rentRaw > 0n;
}
