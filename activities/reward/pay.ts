import { PublicKey } from '@solana/web3.js';
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
import { moveAndBook } from './book.ts';
import { frameOf } from './collect.ts';
import type { RewardDeps } from './deps.ts';
import { opensAccount } from './divide.ts';
import { readRewardMarket, type RewardMarket } from './market.ts';

/** Lands the planned payouts, several transactions at once, and ends the round once all of them are final. */
export async function payHolders(deps: RewardDeps, round: RewardRound): Promise<void> {
  if (round.state !== 'paying') return;
  const market = await readRewardMarket(deps, round.mint);
  const batches = await rewardTransactions.ofRound(deps.db, round.id, 'payout');
  const open = batches.filter(({ state }) => state === 'planned');
  await inParallel(deps.rewards.payoutsAtOnce, open, ({ n }) => payBatch(deps, market, round, n));
  await rewardRounds.end(deps.db, round.id, null);
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
    build: (stamp) => buildBatch(deps, market, key, payouts, stamp),
    // Who was paid is what the transaction says that landed: it may have left somebody out.
    booked: (tx, { paidAccounts }) => {
      const credited = payouts.filter((payout) => payout.kind === 'rent' || paidAccounts.includes(accountOf(payout)));
      return rewardPayouts.mark(
        tx,
        key,
        credited.map(({ owner }) => owner),
      );
    },
  });
}

/**
 * Builds the transaction of a batch. An account that does not take the payout, because it was closed or frozen meanwhile,
 * would make it fail for all; its owner is left out, and the tokens stay in the pot. Null where nobody is left.
 */
async function buildBatch(
  deps: RewardDeps,
  market: RewardMarket,
  { roundId, n }: { readonly roundId: string; readonly n: number },
  payouts: readonly RewardPayout[],
  stamp: Stamp,
): Promise<SignedTransaction | null> {
  const frame = frameOf(deps, market, stamp);
  let recipients = payouts.map(recipientOf);
  while (recipients.length > 0) {
    const work = payoutWork({ ...frame, quote: market.quote, recipients });
    // Unsigned: nobody gets a signed transaction that the ledger does not have.
    const unsigned = compilePurposed(frame, work).serialize();
    const simulation = await deps.rpc.simulateTransaction(unsigned, { verifySignatures: false });
    const refusing = refusingRecipient(recipients, frame.computeUnitPrice, simulation);
    if (!refusing) return signPurposed(frame, work);
    const owner = refusing.owner.toBase58();
    deps.logger.warn({ roundId, n, owner, err: simulation.err }, 'an account does not take its reward');
    recipients = recipients.filter((recipient) => recipient !== refusing);
  }
  return null;
}

function recipientOf(payout: RewardPayout): Recipient {
  return { owner: new PublicKey(payout.owner), amountRaw: payout.amountRaw, opensAccount: opensAccount(payout) };
}
