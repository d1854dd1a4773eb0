import { PublicKey } from '@solana/web3.js';
import { quoteFeeProblem } from '../../chain/tokens/transfer-fee.ts';
import { accountFault } from '../../chain/reward/account-fault.ts';
import { payoutWork, type Recipient, refusingRecipient } from '../../chain/reward/pay-holders.ts';
import { tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import type { Stamp } from '../../chain/lanes/stamp.ts';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import { compilePurposed, signPurposed } from '../../chain/transactions/purposed.ts';
import * as rewardPayouts from '../../db/reward/reward-payouts.ts';
import type { RewardPayout } from '../../db/reward/reward-payouts.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import type { RewardTransactionKey } from '../../db/reward/reward-transactions.ts';
import type { AccountFaultReason } from '../../domain/reward/left-out.ts';
import { moveAndBook } from './book.ts';
import { frameOf } from './collect.ts';
import type { RewardDeps } from './deps.ts';
import { opensAccount, planPayouts } from './plan-payouts.ts';
import { readRewardMarket, type RewardMarket } from './market.ts';
import { paidBy } from './restore-plan.ts';
import { sealPlan } from './seal.ts';
import { inState } from '../../domain/in-state.ts';

/** Times `payoutsAtOnce` transactions a step; a failed step repeats only these. */
const WAVES_PER_STEP = 4;

/** Ends the round when all are final. */
export async function payHolders(deps: RewardDeps, round: RewardRound): Promise<number> {
  // A plan that another seal replaced is still to be read from its document.
  if (round.state === 'selling') await planPayouts(deps, round);
  const market = await readRewardMarket(deps, round.mint);
  await sealPlan(deps, market, await current(deps, round));
  const sealed = await current(deps, round);
  if (!inState(sealed, 'paying')) return 0;
  const { payoutsAtOnce } = deps.rewards;
  const most = WAVES_PER_STEP * payoutsAtOnce;
  const { next, planned } = await rewardTransactions.plannedPayouts(deps.db, round.id, most);
  await inParallel(payoutsAtOnce, next, (n) => payBatch(deps, market, sealed, n));
  const left = planned - next.length;
  if (left === 0) await rewardRounds.end(deps.db, round.id, await outcomeOf(deps, round));
  return left;
}

async function current({ db }: RewardDeps, { id }: RewardRound): Promise<RewardRound> {
  const round = await rewardRounds.byId(db, id);
  if (!round) throw new Error(`there is no reward round ${id} any more`);
  return round;
}

/** Null for a usual end. */
async function outcomeOf({ db, logger }: RewardDeps, { id, mint }: RewardRound): Promise<string | null> {
  const { paid, planned } = await rewardPayouts.holdersOf(db, id);
  if (paid > 0) return null;
  logger.error({ roundId: id, mint, payouts: planned }, 'a reward round has paid no holder');
  return `none of ${planned} accounts took its payout`;
}

async function payBatch(deps: RewardDeps, market: RewardMarket, round: RewardRound, n: number): Promise<void> {
  const key = { roundId: round.id, n };
  const payouts = await rewardPayouts.ofBatch(deps.db, key);
  await moveAndBook(deps, {
    round,
    market,
    n,
    quoteUsd: round.quoteUsd,
    isOwed: true,
    isBulk: true,
    build: (stamp) => buildBatch(deps, market, key, payouts, stamp),
    booked: (tx, change) => rewardPayouts.mark(tx, key, paidBy(market, payouts, change)),
  });
}

/**
 * Leaves out a recipient only if a quorum shows that their own finalized account refuses the payout, which would fail
 * it for all; those tokens stay in the pot. Any other failure is thrown. Null if no recipient is left.
 */
async function buildBatch(
  deps: RewardDeps,
  market: RewardMarket,
  key: RewardTransactionKey,
  payouts: readonly RewardPayout[],
  stamp: Stamp,
): Promise<SignedTransaction | null> {
  const frame = frameOf(deps, market, stamp);
  const { recipients, faults } = await takers(deps, market, payouts.map(recipientOf));
  // Before signing: a run that knows only the ledger may book the landed transaction.
  await rewardPayouts.noteFaults(deps.db, key, faults);
  if (recipients.length === 0) return null;
  const work = payoutWork({ ...frame, quote: market.quote, recipients });
  // Unsigned: no signed transaction leaves before the ledger has it.
  const unsigned = compilePurposed(frame, work).serialize();
  const simulation = await deps.rpc.simulateTransaction(unsigned, { verifySignatures: false, byQuorum: true });
  const refusing = refusingRecipient(recipients, frame.computeUnitPrice, simulation);
  if (!refusing) return signPurposed(frame, work);
  const owner = refusing.owner.toBase58();
  throw new Error(
    `the payout to ${owner} would fail, and their account is no reason: ${JSON.stringify(simulation.err)}`,
  );
}

/** Throws if the pot's own account cannot pay. */
async function takers(
  deps: RewardDeps,
  { quote, pot, token }: RewardMarket,
  recipients: readonly Recipient[],
): Promise<{ readonly recipients: Recipient[]; readonly faults: ReadonlyMap<string, AccountFaultReason> }> {
  const accountOf = (owner: PublicKey) => tokenAccountOf(quote, owner).toBase58();
  const owners = [pot.publicKey, ...recipients.map(({ owner }) => owner)];
  const accounts = await deps.rpc.accountsByEndpoint(owners.map(accountOf));
  const faultOf = (taker: { readonly owner: PublicKey; readonly opensAccount: boolean }) =>
    accounts.agreedReason(accountOf(taker.owner), (info) => accountFault(quote, taker, info));
  const problem = quoteFeeProblem(quote) ?? faultOf({ owner: pot.publicKey, opensAccount: false })?.text;
  if (problem !== undefined)
    throw new Error(`the pot ${pot.publicKey.toBase58()} of ${token.mint} cannot pay: ${problem}`);
  const faults = new Map<string, AccountFaultReason>();
  const taking = recipients.filter((recipient) => {
    const fault = faultOf(recipient);
    if (fault === null) return true;
    const owner = recipient.owner.toBase58();
    deps.logger.warn({ owner, fault: fault.text }, 'an account does not take its reward');
    faults.set(owner, fault.reason);
    return false;
  });
  return { recipients: taking, faults };
}

function recipientOf(payout: RewardPayout): Recipient {
  return { owner: new PublicKey(payout.owner), amountRaw: payout.amountRaw, opensAccount: opensAccount(payout) };
}
