import type { ResolutionAction } from './operator-decision.ts';
import type { LaunchState } from './state.ts';

export const STATE_MEANING: Readonly<Record<LaunchState, string>> = {
  received: 'The signed payment is stored; nothing has been sent.',
  preparing: 'The bundle is built and checked; nothing has been sent, so nothing can be charged.',
  landing: 'The bundle was sent. It is sent again until all of it landed or none of it ever can.',
  resuming: 'Only the beginning of the bundle landed. The rest is signed again; the payment is never made twice.',
  recording: 'Everything landed. The details are being written to the database.',
  completed: 'The token is live and recorded. Waiting until no fork can remove it.',
  finalized: 'Done. Nothing is left to do.',
  needs_recovery:
    'The launch cannot go on by itself: an operator has to decide. The payment landed, unless the reason says otherwise.',
  refunding: 'The creator is getting the payment and its network fee back.',
  refunded: 'The creator got the payment and its network fee back. No token exists.',
  not_landed: 'Nothing landed and nothing of it ever can. The creator was not charged.',
};

/** Effect of each decision on the launch, and on money. */
export const RESOLUTION_EFFECT: Readonly<Record<ResolutionAction, string>> = {
  resume:
    'what is missing is signed again and sent; nothing that landed is repeated and the payment is never made twice',
  refund:
    'the creator gets the payment and its network fee back, once nothing else of the launch can land; refused once the pool exists',
  record: 'the launch is recorded as the chain shows it; refused unless mint, pool and both locks are on the chain',
};
