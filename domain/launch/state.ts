/**
 * Life of a launch, from the intake row to a final answer. One union, shared by workflow, database and API.
 *
 * `received` intake row committed · `preparing` building, simulating, storing metadata, nothing can land yet ·
 * `landing` the payment may land · `resuming` a prefix of the bundle landed, the rest is sent again ·
 * `recording` everything landed, details are written · `completed` confirmed and recorded · `finalized` beyond any fork ·
 * `needs_recovery` the payment landed and only an operator can go on · `refunding` the operator chose a refund ·
 * `refunded` the creator got everything back · `not_landed` nothing landed and nothing of it ever can.
 */
export const LAUNCH_STATES = [
  'received',
  'preparing',
  'landing',
  'resuming',
  'recording',
  'completed',
  'finalized',
  'needs_recovery',
  'refunding',
  'refunded',
  'not_landed',
] as const;

export type LaunchState = (typeof LAUNCH_STATES)[number];

/** What the public API says of a launch. */
export type PublicLaunchStatus = 'completed' | 'processing' | 'service_unavailable' | 'conflict';

/** The public status of each state. While the outcome is unknown the answer is `processing`, never "not charged". */
export function publicStatusOf(state: LaunchState): PublicLaunchStatus {
  switch (state) {
    case 'completed':
    case 'finalized':
      return 'completed';
    case 'not_landed':
    case 'refunded':
      return 'service_unavailable';
    case 'needs_recovery':
    case 'refunding':
      return 'conflict';
    case 'received':
    case 'preparing':
    case 'landing':
    case 'resuming':
    case 'recording':
      return 'processing';
  }
}

/** States in which a launch needs nothing more from the workflow. */
export function isSettled(state: LaunchState): boolean {
  return state === 'finalized' || state === 'refunded' || state === 'not_landed';
}
