/**
 * `issued`: waits for the creator's signature while its timer runs. `submitted`: signed in time by the creator alone.
 * `relaying`: both signed, may land. `killing`: did not land for too long, its nonce is being advanced. `relayed`:
 * confirmed. `finalized`: paid. `not_landed`: paid nothing and never can. `refused`: not signed by the platform.
 * `expired`: not submitted in time.
 */
export const CLAIM_STATES = [
  'issued',
  'submitted',
  'relaying',
  'killing',
  'relayed',
  'finalized',
  'not_landed',
  'refused',
  'expired',
] as const;

export type ClaimState = (typeof CLAIM_STATES)[number];

/** Reasons why the platform did not sign a submitted claim. */
export type ClaimRefusal = 'forbidden' | 'conflict';

/** The database refuses others. */
const FOLLOWERS: Readonly<Record<ClaimState, readonly ClaimState[]>> = {
  issued: ['submitted', 'expired'],
  submitted: ['relaying', 'refused'],
  relaying: ['relayed', 'finalized', 'killing', 'not_landed'],
  killing: ['relayed', 'finalized', 'not_landed'],
  // A fork can remove a confirmed claim; the same bytes are sent again.
  relayed: ['relaying', 'finalized', 'not_landed'],
  finalized: [],
  not_landed: [],
  refused: [],
  expired: [],
};

export function mayClaimFollow(from: ClaimState, to: ClaimState): boolean {
  return FOLLOWERS[from].includes(to);
}

export function isClaimSettled(state: ClaimState): boolean {
  return FOLLOWERS[state].length === 0;
}

const CONFIRMED: Readonly<Record<ClaimState, boolean>> = {
  issued: false,
  submitted: false,
  relaying: false,
  killing: false,
  relayed: true,
  finalized: true,
  not_landed: false,
  refused: false,
  expired: false,
};

/** True while the chain has it. */
export function isClaimConfirmed(state: ClaimState): boolean {
  return CONFIRMED[state];
}

export const CLAIM_MEANING: Readonly<Record<ClaimState, string>> = {
  issued: 'The creator has the unsigned transaction. Without the platform’s signature it cannot land.',
  submitted: 'The creator signed it in time. The platform checks it before it signs.',
  relaying: 'Both signed it. It is sent until it lands.',
  killing: 'It did not land for too long. Its nonce is advanced, so that it never can.',
  relayed: 'It is confirmed. Its finality is awaited.',
  finalized: 'The fees are with the creator. Nothing is left to do.',
  not_landed: 'It paid nothing and never can. The creator may prepare another claim.',
  refused: 'The platform did not sign it. The creator may prepare another claim.',
  expired: 'It was not submitted in time. It cannot land; the creator may prepare another claim.',
};
