import * as airdrops from '../../db/airdrop/airdrops.ts';
import type { LockedAirdrop } from '../../db/airdrop/airdrops.ts';
import type { Ending } from '../money/remedies/close.ts';
import { idIn } from '../money/remedies/refused.ts';

/** Ends an airdrop; emptying the launch wallet burns the rest. */
export const AIRDROP_ENDING: Ending<LockedAirdrop> = {
  name: 'airdrop',
  lock({ db }, subject) {
    const quoteId = idIn(subject);
    return airdrops.lockAllDue(db, quoteId);
  },
  async end(unsigned) {
    await airdrops.giveUp(unsigned);
    const { quoteId, open } = unsigned.row;
    const wallets = open.flatMap(({ shares }) => shares).length;
    return `the airdrop of ${quoteId} is closed; ${wallets} wallets get nothing`;
  },
};
