import * as holdings from '../../db/money/holdings.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import { see } from '../money/reconcile/accounts.ts';
import type { ReconcileDeps } from '../money/reconcile/deps.ts';
import { idIn, RemedyRefusedError } from '../money/remedies/refused.ts';

/** Books what a pot lacks by a quorum. */
export async function correctPot({ db, rpc }: ReconcileDeps, subject: string): Promise<string> {
  const mint = idIn(subject);
  // Keep movements of the pot from being planned or signed; one signed before keeps the pot out of the claims.
  await rewardRounds.lockOpenOf(db, mint);
  await rewardTransactions.lockPlannedOf(db, mint);
  const claims = (await holdings.pots(db)).filter(({ id }) => id === mint);
  const [base, quote] = claims;
  if (!base || !quote) throw new RemedyRefusedError(`${subject} is nothing that can be compared now`);
  const sight = await see(rpc, { holders: claims, accounts: [], mints: [] });
  const [baseRaw, quoteRaw] = [base, quote].map(({ owner, mint: token, leastRaw }) => {
    const held = sight.account(owner, token)?.heldRaw;
    if (held === undefined) throw new RemedyRefusedError(`no quorum of RPC endpoints says what ${owner} holds`);
    return held < leastRaw ? held - leastRaw : 0n;
  });
  if (baseRaw === undefined || quoteRaw === undefined || (baseRaw === 0n && quoteRaw === 0n)) {
    throw new RemedyRefusedError(`${subject} holds what the books say`);
  }
  await rewardTransactions.correct(db, base.id, { baseRaw, quoteRaw });
  return `the books of the pot of ${base.id} say ${-baseRaw} tokens and ${-quoteRaw} quote tokens less, raw units`;
}
