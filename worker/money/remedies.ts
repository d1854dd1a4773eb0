import { AIRDROP_ENDING } from '../../activities/airdrop/ending.ts';
import { BUYBACK } from '../../activities/buyback/kind.ts';
import { FEE_SWEEP } from '../../activities/fee-sweep/kind.ts';
import { adoptBundled } from '../../activities/launch/adopt-bundled.ts';
import { adoptionOfLaunches } from '../../activities/launch/adopt-unknown.ts';
import { correctLaunch } from '../../activities/launch/correct.ts';
import type { NounRemedies } from '../../activities/money/remedies/activities.ts';
import { closeUnknown, closing, closingOf } from '../../activities/money/remedies/close.ts';
import { idIn, numberIn, partsOf } from '../../activities/money/remedies/refused.ts';
import { clearRestock } from '../../activities/restock/clear.ts';
import { RESTOCK } from '../../activities/restock/kind.ts';
import { correctPot } from '../../activities/reward/correct-pot.ts';
import { REWARD_ENDING } from '../../activities/reward/ending.ts';
import type { Shared } from '../shared.ts';

export function remediesOf(shared: Shared): NounRemedies {
  return { ...REMEDIES, adopt: { ...REMEDIES.adopt, launch: adoptionOfLaunches(shared) } };
}

/** Remedies of the nouns that need nothing of the worker. */
export const REMEDIES = {
  adopt: { bundle: adoptBundled },
  correct: { launch: correctLaunch, pot: correctPot, restock: clearRestock },
  close: {
    reward: closing(REWARD_ENDING),
    'fee-sweep': closingOf(FEE_SWEEP, sweepIn),
    buyback: closingOf(BUYBACK, idIn),
    restock: closingOf(RESTOCK, idIn),
    airdrop: closing(AIRDROP_ENDING),
    claim: closeUnknown,
    launch: closeUnknown,
  },
} as const satisfies NounRemedies;

function sweepIn(subject: string) {
  const [mint = '', number] = partsOf(subject, 2);
  return { mint, number: numberIn(number) };
}
