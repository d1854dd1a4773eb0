import { counted } from '../../format/numbers.ts';
import type { Claiming, ClaimRun } from '../creator/claiming.ts';

export interface RunProgress extends Pick<ClaimRun, 'remaining'> {
  readonly isBusy: boolean;
  /** Of every token with a claim. */
  readonly states: readonly Claiming[];
}

export function progressWords({ remaining, isBusy, states }: RunProgress): string {
  if (remaining === null) return isBusy ? 'Asking what there is to claim …' : 'Nothing was claimed.';
  const paid = states.filter((state) => state.step === 'ended' && state.outcome.status === 'paid').length;
  const open = states.filter(({ step }) => step === 'asking' || step === 'signing' || step === 'sent').length;
  const unknown = states.filter(isUnknown).length;
  const unpaid = states.length - paid - open - unknown;
  const parts = [
    `${counted(paid, 'claim')} paid`,
    ...(open > 0 ? [`${open} under way`] : []),
    ...(unknown > 0 ? [`${unknown} not known yet`] : []),
    ...(unpaid > 0 ? [`${unpaid} not paid`] : []),
    ...(remaining > 0 ? [`${counted(remaining, 'position')} to look at`] : []),
  ];
  if (!isBusy && states.length === 0 && remaining === 0) return 'There is nothing to claim.';
  return `${parts.join(', ')}.`;
}

/** It was signed, and may be paid. */
function isUnknown(state: Claiming): boolean {
  if (state.step === 'ended') return state.outcome.status === 'unknown';
  return state.step === 'damaged' || (state.step === 'failed' && state.isSigned);
}
