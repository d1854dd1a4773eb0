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
import { opensAccount } from './plan-payouts.ts';
import { readRewardMarket, type RewardMarket } from './market.ts';

/** So many times as many transactions as are under way at once make one step: what fails is tried again for them alone. */
const WAVES_PER_STEP = 4;

/**
 * Lands the next of the planned payouts, several transactions at once, and ends the round once all of them are final. Answers how many
 * transactions are left.
 */
export async function payHolders(deps: RewardDeps, round: RewardRound): Promise<number> {
  if (round.state !== 'paying') return 0;
  const { payoutsAtOnce } = deps.rewards;
  const market = await readRewardMarket(deps, round.mint);
  const most = WAVES_PER_STEP * payoutsAtOnce;
  const { next, planned } = await rewardTransactions.plannedPayouts(deps.db, round.id, most);
  await inParallel(payoutsAtOnce, next, (n) => payBatch(deps, market, round, n));
  const left = planned - next.length;
  if (left === 0) await rewardRounds.end(deps.db, round.id, await outcomeOf(deps, round));
  return left;
}

/** What is out of the ordinary about the end of a round that had payouts. */
async function outcomeOf({ db, logger }: RewardDeps, { id, mint }: RewardRound): Promise<string | null> {
  const { paid, planned } = await rewardPayouts.holdersOf(db, id);
  if (paid > 0) return null;
  logger.error({ roundId: id, mint, payouts: planned }, 'a reward round has paid nobody');
  return `none of ${planned} accounts took its payout`;
}

async function payBatch(deps: RewardDeps, market: RewardMarket, round: RewardRound, n: number): Promise<void> {
  const key = { roundId: round.id, n };
  const payouts = await rewardPayouts.ofBatch(deps.db, key);
  const accountOf = ({ owner }: RewardPayout) => tokenAccountOf(market.quote, new PublicKey(owner)).toBase58();
  await moveAndBook(deps, {
    round,
    market,
    n,
    quoteUsd: round.quoteUsd,
    isOwed: true,
    isBulk: true,
    build: (stamp) => buildBatch(deps, market, key, payouts, stamp),
    // Who was paid is what the transaction says that landed: it may have left somebody out.
    booked: (tx, { paidAccounts, quoteRaw, paidRaw }) => {
      const isRentPaid = -quoteRaw > paidRaw;
      const isPaid = (payout: RewardPayout) =>
        payout.kind === 'rent' ? isRentPaid : paidAccounts.includes(accountOf(payout));
      const credited = payouts.filter(isPaid);
      return rewardPayouts.mark(
        tx,
        key,
        credited.map(({ owner }) => owner),
      );
    },
  });
}

/**
 * Builds the transaction of a batch. Somebody is left out only where the finalized state of their own account says, as a quorum has
 * it, that it does not take the payout: it would make the transaction fail for all, and the tokens stay in the pot. Whatever else would make it fail
 * is nobody's fault who is paid, and is thrown. Null where nobody is left.
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
  // Before anything is signed: whoever books what lands may be another run, which knows the ledger alone.
  await rewardPayouts.noteFaults(deps.db, key, faults);
  if (recipients.length === 0) return null;
  const work = payoutWork({ ...frame, quote: market.quote, recipients });
  // Unsigned: nobody gets a signed transaction that the ledger does not have.
  const unsigned = compilePurposed(frame, work).serialize();
  const simulation = await deps.rpc.simulateTransaction(unsigned, { verifySignatures: false });
  const refusing = refusingRecipient(recipients, frame.computeUnitPrice, simulation);
  if (!refusing) return signPurposed(frame, work);
  const owner = refusing.owner.toBase58();
  throw new Error(
    `the payout to ${owner} would fail, and their account is no reason: ${JSON.stringify(simulation.err)}`,
  );
}

/** Those whose account takes a payout, and why the others' do not, by owner (base58). Throws where the pot's own account gives none. */
async function takers(
  deps: RewardDeps,
  { quote, pot, token }: RewardMarket,
  recipients: readonly Recipient[],
): Promise<{ readonly recipients: Recipient[]; readonly faults: ReadonlyMap<string, AccountFaultReason> }> {
  const accountOf = (owner: PublicKey) => tokenAccountOf(quote, owner).toBase58();
  const owners = [pot.publicKey, ...recipients.map(({ owner }) => owner)];
  const accounts = await deps.rpc.accountTestimonies(owners.map(accountOf));
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
