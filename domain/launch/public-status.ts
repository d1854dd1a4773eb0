import type { ChainTransactionStatus } from '../chain-transaction.ts';
import { LAUNCH_STEPS, launchPurpose, type LaunchStep } from '../purpose.ts';
import { type LaunchState, phaseOf } from './state.ts';

/** The recorded transactions prove nothing yet, that the payment landed, or that the whole bundle did. */
export const ON_CHAIN = ['unknown', 'payment', 'bundle'] as const;

export type OnChain = (typeof ON_CHAIN)[number];

export function onChainOf(
  quoteId: string,
  rows: readonly { readonly purpose: string; readonly status: ChainTransactionStatus }[],
): OnChain {
  const hasLanded = (step: LaunchStep) =>
    rows.some((row) => row.purpose === launchPurpose(quoteId, step) && LANDED.includes(row.status));
  if (!hasLanded(1)) return 'unknown';
  return LAUNCH_STEPS.every(hasLanded) ? 'bundle' : 'payment';
}

const LANDED: readonly ChainTransactionStatus[] = ['landed', 'finalized'];

export type PublicLaunchStatus = 'completed' | 'processing' | 'service_unavailable' | 'conflict';

const OF_PARKED: Readonly<Record<OnChain, PublicLaunchStatus>> = {
  unknown: 'processing',
  payment: 'conflict',
  bundle: 'conflict',
};

/** `conflict` says that the payment landed, so it needs the row of a payment that landed; the state alone is no proof. */
export function publicStatusOf(state: LaunchState, onChain: OnChain): PublicLaunchStatus {
  switch (phaseOf(state)) {
    case 'live':
      return 'completed';
    case 'uncharged':
      return 'service_unavailable';
    case 'underWay':
      return 'processing';
    case 'parked':
      return OF_PARKED[onChain];
  }
}
