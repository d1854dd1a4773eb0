import type { PublicKey } from '@solana/web3.js';
import { fitsOneTransaction, type PayoutRoom } from '../../chain/reward/pay-holders.ts';
import { associatedAccountBytes } from '../../chain/tokens/associated-account-bytes.ts';
import * as rewardPayouts from '../../db/reward/reward-payouts.ts';
import type { NewRewardPayout } from '../../db/reward/reward-payouts.ts';
import type { RewardRound, RewardValuation } from '../../db/reward/reward-rounds.ts';
import * as rewardSnapshots from '../../db/reward/reward-snapshots.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import { type RewardCandidate, type RewardSplit, splitRewards } from '../../domain/reward/split-among-holders.ts';
import type { DocumentPayout } from '../../domain/reward/round-document.ts';
import { type LeftOut, type ShortOfMinimum, shortOfMinimum, withoutShare } from '../../domain/reward/left-out.ts';
import { type Balances, leastBalances } from '../../domain/reward/least-balances.ts';
import { lamportsInToken, rawWorthAtLeast } from '../../domain/reward/usd-amounts.ts';
import { spendableBase } from '../../domain/trading/spendable-price.ts';
import type { RewardDeps } from './deps.ts';
import { packRoundDocument } from './round-document.ts';
import { type EligibleHolder, separateHolders } from './eligible-owners.ts';
import { readRewardMarket, type RewardMarket } from './market.ts';
import { planValuationOf } from './price-table.ts';
import { assertSettled, continueLost } from './restore-plan.ts';
import { bookUnrecorded } from './unrecorded.ts';
import { assertNothingForgotten } from '../money/learn.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

/**
 * Records every payout, its transaction, and the document to seal, before anything is sent. Without holders the pot
 * stays for the next round.
 */
export async function planPayouts(deps: RewardDeps, round: RewardRound): Promise<void> {
  if (round.state !== 'selling') return;
  const market = await readRewardMarket(deps, round.mint);
  // After this check, nothing can land that the lanes do not show now.
  await assertNothingForgotten(deps);
  await deps.lanes.learn();
  await bookUnrecorded(deps, market);
  if (await continueLost(deps, market, round)) return;
  // `learn` may just have found lost movements, which restarts the wait.
  await assertNothingForgotten(deps);
  await assertSettled(deps, round);
  const { valuation, table } = await planValuationOf(deps, round, market);
  const { holders, minimumRaw, short, excluded, observations } = await holdersOf(deps, round, market, valuation);
  const { quoteRaw: budgetRaw } = await rewardTransactions.funds(deps.db, round.mint);
  const split = await divide(deps, market, valuation, budgetRaw, holders);
  const sealN = await nextNumber(deps, round);
  const payouts = payoutsOf(deps, market, split, sealN + 1);
  const { belowMinimum } = short;
  const leftOut = [...short.notThroughout, ...excluded, ...withoutShare(split.candidates, split.shares)];
  const division = { budgetRaw, minimumRaw, leastPayoutRaw: split.leastPayoutRaw, valuation };
  const decided = { ...division, table, observations, payouts, leftOut, belowMinimum, restRaw: split.restRaw };
  await rewardPayouts.plan(deps.db, {
    ...division,
    roundId: round.id,
    mint: round.mint,
    payouts,
    holders: holders.length,
    leftOut: { owners: leftOut, belowMinimum },
    seal: payouts.length > 0 ? { n: sealN, document: await packRoundDocument(deps, round, market, decided) } : null,
    note: payouts.length > 0 ? null : 'no share reaches the least payout',
  });
  const recipients = split.shares.length;
  deps.logger.info({ roundId: round.id, budgetRaw, holders: holders.length, recipients }, 'reward payouts planned');
}

interface RoundHolders {
  readonly holders: readonly EligibleHolder[];
  /** Raw units. */
  readonly minimumRaw: bigint;
  readonly short: ShortOfMinimum;
  readonly observations: readonly Balances[];
  /** Held enough, and earn nothing for another reason. */
  readonly excluded: readonly LeftOut[];
}

interface Division extends RewardSplit {
  readonly candidates: readonly RewardCandidate[];
  /** Raw quote units. */
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
  const priceUsd = spendableBase(averagePrice, quoteUsd);
  const minimumRaw = rawWorthAtLeast(deps.rewards.minHoldingUsd, market.base.decimals, priceUsd);
  const { eligible: holders, leftOut: excluded } = await separateHolders(deps, market, balances, minimumRaw);
  const short = shortOfMinimum(observations, balances, minimumRaw);
  return { holders, minimumRaw, short, excluded, observations };
}

async function divide(
  deps: RewardDeps,
  { quote }: RewardMarket,
  { quoteUsd, solUsd }: RewardValuation,
  budgetRaw: bigint,
  holders: readonly EligibleHolder[],
): Promise<Division> {
  // An account that is not final may be gone at payment: it counts as to be opened. Disputed ones get a closer check.
  const disputed = holders.flatMap(({ account, hasAccount }) => (hasAccount === null ? [account] : []));
  const present = await deps.rpc.presentAccounts(disputed);
  const opened = holders.map(({ account, hasAccount }) => !(hasAccount ?? present.has(account)));
  const rentLamports = opened.includes(true) ? await deps.rpc.agreedRent(associatedAccountBytes(quote)) : 0n;
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

async function nextNumber({ db }: RewardDeps, { id }: RewardRound): Promise<number> {
  const used = await rewardTransactions.ofRound(db, id);
  return 1 + used.reduce((last, { n }) => Math.max(last, n), -1);
}

type PlannedPayout = NewRewardPayout & DocumentPayout;

/** The treasury pays the rent of new accounts and gets its value back. */
function payoutsOf(deps: RewardDeps, { quote }: RewardMarket, { shares }: RewardSplit, first: number): PlannedPayout[] {
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
 * Recipients with accounts first, so that few transactions are mixed. Rent has its own, so that a holder transaction's
 * transfers match its row.
 */
function inBatches(quote: TokenInfo, payouts: readonly Omit<PlannedPayout, 'n'>[], first: number): PlannedPayout[] {
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

/** The treasury's account may be missing too. */
export function opensAccount({ kind, rentRaw }: Pick<NewRewardPayout, 'kind' | 'rentRaw'>): boolean {
  return kind === 'rent' || rentRaw > 0n;
}
