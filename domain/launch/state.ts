/**
 * `received`: intake row committed. `preparing`: building, simulating, storing; nothing can land. `landing`: the
 * payment may land. `resuming`: a prefix landed, the rest is sent again. `recording`: everything landed. `completed`:
 * confirmed and recorded. `finalized`: beyond any fork. `needs_recovery`: only an operator can continue. `refunding`,
 * `refunded`: by the operator's choice. `not_landed`: nothing landed or ever can.
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

export type PublicLaunchStatus = 'completed' | 'processing' | 'service_unavailable' | 'conflict';

/** `processing` while the outcome is unknown, never "not charged". */
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

export function isSettled(state: LaunchState): boolean {
  return state === 'finalized' || state === 'refunded' || state === 'not_landed';
}
