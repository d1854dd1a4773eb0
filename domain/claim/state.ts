/**
 * Life of a claim intent, from the issued transaction to a final answer. One union, shared by workflow, database and API.
 *
 * `issued` waits for the creator's signature, its timer runs · `submitted` the creator signed in time, the platform has not
 * signed · `relaying` both signed, it may land · `killing` it did not land for too long, its nonce is being advanced ·
 * `relayed` confirmed · `finalized` paid beyond any fork · `not_landed` it paid nothing and never can · `refused` the
 * platform did not sign it · `expired` its time was over before it was submitted.
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

/** Why the platform did not sign a submitted claim, as far as the answer's code goes. */
export type ClaimRefusal = 'forbidden' | 'conflict';

/** Every state that may follow a state. The database refuses all others. */
const FOLLOWERS: Readonly<Record<ClaimState, readonly ClaimState[]>> = {
  issued: ['submitted', 'expired'],
  submitted: ['relaying', 'refused'],
  relaying: ['relayed', 'finalized', 'killing', 'not_landed'],
  killing: ['relayed', 'finalized', 'not_landed'],
  // A fork can take a confirmed claim back; the same bytes are sent again.
  relayed: ['relaying', 'finalized', 'not_landed'],
  finalized: [],
  not_landed: [],
  refused: [],
  expired: [],
};

/** Whether a claim in state `from` can go to `to`. */
export function mayClaimFollow(from: ClaimState, to: ClaimState): boolean {
  return FOLLOWERS[from].includes(to);
}

/** States in which nobody has to do anything any more. */
export function isClaimSettled(state: ClaimState): boolean {
  return FOLLOWERS[state].length === 0;
}

/** What a state means, for people who look at a claim in the Temporal UI. */
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
