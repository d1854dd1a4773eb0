import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import type { PlannedOfRound } from '../../db/reward/reward-transactions.ts';
import { inState } from '../../domain/in-state.ts';
import { rewardPurposes } from '../../domain/reward/purpose.ts';
import type { Ending } from '../money/remedies/close.ts';
import { idIn } from '../money/remedies/refused.ts';
import { abandon } from './book.ts';

const OPEN = ['observing', 'collecting', 'selling', 'sealing', 'paying'] as const;

/** Ends a round; the rest of the pot goes to the next one. */
export const REWARD_ENDING: Ending<PlannedOfRound> = {
  name: 'round',
  async lock({ db }, subject) {
    const roundId = idIn(subject);
    const known = await rewardRounds.byId(db, roundId);
    // Under its lock nothing more is planned.
    const round = known && inState(await rewardRounds.lock(db, roundId), ...OPEN);
    return round && rewardTransactions.lockAllDue(db, roundId);
  },
  // A lost plan may have transactions that this one lacks.
  lost: (subject) => rewardPurposes(idIn(subject)),
  async end(unsigned) {
    const { tx, row } = unsigned;
    const { roundId, ns } = row;
    await abandon(unsigned, 'closedByOperator');
    await rewardRounds.end(tx, roundId, 'closed by an operator');
    const round = await rewardRounds.byId(tx, roundId);
    return `round ${round?.number} of ${round?.mint} is closed; ${ns.length} transactions of it will not be`;
  },
};
