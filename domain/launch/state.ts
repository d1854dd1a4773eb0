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

/** `underWay`: the workflow continues. `parked`: an operator decides. `live`: the token exists. `uncharged`: no charge stays. */
export type LaunchPhase = 'underWay' | 'parked' | 'live' | 'uncharged';

const PHASE: Readonly<Record<LaunchState, LaunchPhase>> = {
  received: 'underWay',
  preparing: 'underWay',
  landing: 'underWay',
  resuming: 'underWay',
  recording: 'underWay',
  completed: 'live',
  finalized: 'live',
  needs_recovery: 'parked',
  refunding: 'parked',
  refunded: 'uncharged',
  not_landed: 'uncharged',
};

export function phaseOf(state: LaunchState): LaunchPhase {
  return PHASE[state];
}
