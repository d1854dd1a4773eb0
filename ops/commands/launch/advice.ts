import type { LaunchState } from '../../../domain/launch/state.ts';

/** What a launch that stands still in a state may be waiting for; null where it waits for nothing but perhaps an operator. */
const NEEDS: Readonly<Record<LaunchState, string | null>> = {
  received: 'worker, Temporal, RPC and block engine',
  preparing: 'worker, Temporal, RPC and permanent store',
  landing: 'worker, Temporal, block engine and RPC endpoints that agree',
  resuming: 'worker, Temporal, RPC and block engine',
  recording: 'worker, Temporal, database and RPC',
  completed: 'worker, Temporal and RPC endpoints that see finalized slots',
  refunding: 'worker, Temporal, RPC endpoints that agree, and SOL in the platform wallet',
  needs_recovery: null,
  finalized: null,
  refunded: null,
  not_landed: null,
};

/** What an operator does about a launch that stands still; null where nothing is left to do. */
export function adviceFor(state: LaunchState, quoteId: string): string | null {
  if (state === 'needs_recovery') return `npm run ops -- launches show ${quoteId}, then launches resolve ${quoteId} …`;
  return NEEDS[state] && `check ${NEEDS[state]}; the launch goes on by itself once they work`;
}
