import type { ClaimState } from '../../../domain/claim/state.ts';

/** A claim in this state depends on it. */
const NEEDS: Readonly<Record<ClaimState, string | null>> = {
  issued: null,
  submitted: 'worker, Temporal and RPC',
  relaying: 'worker, Temporal and RPC; after CLAIM_RELAY_SECONDS without landing its nonce is advanced',
  killing: 'worker, Temporal, RPC endpoints that agree, and SOL in the platform wallet',
  relayed: 'worker, Temporal and RPC endpoints that see finalized slots',
  finalized: null,
  not_landed: null,
  refused: null,
  expired: null,
};

export function claimAdvice(state: ClaimState): string | null {
  return NEEDS[state] && `check ${NEEDS[state]}; the claim goes on by itself once they work`;
}
