import { awaitsDecision } from '../../../domain/launch/machine.ts';
import type { LaunchState } from '../../../domain/launch/state.ts';

/** Null if only an operator can continue, or nothing is left. */
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

export function adviceFor(state: LaunchState, quoteId: string): string | null {
  if (awaitsDecision(state)) return `npm run ops -- launches show ${quoteId}, then launches resolve ${quoteId} …`;
  return NEEDS[state] && `check ${NEEDS[state]}; the launch goes on by itself once they work`;
}
