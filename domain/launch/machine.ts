import type { ResolutionAction } from './operator-decision.ts';
import { LAUNCH_STATES, type LaunchState } from './state.ts';

export type LaunchStepName =
  | 'assembleBundle'
  | 'simulateBundle'
  | 'storeMetadata'
  | 'landBundle'
  | 'rebuildRest'
  | 'recordLaunch'
  | 'finalizeLaunch'
  | 'refundLaunch';

export interface LaunchRule {
  /** In order; once one leads to another state, that state's rule takes over. */
  readonly steps: readonly LaunchStepName[];
  /** By event. Others cannot happen here. */
  readonly leads: Readonly<Record<string, LaunchState>>;
}

/**
 * States, steps and transitions of a launch. The workflow takes its steps from here, the database refuses other
 * transitions, the model check explores it. A state without steps is settled (leads nowhere) or waits for an operator.
 */
export const LAUNCH_MACHINE = {
  received: {
    steps: ['assembleBundle'],
    // `begun`, `blocked`: the database was restored, and the payment is on the chain.
    leads: { signed: 'preparing', begun: 'landing', blocked: 'needs_recovery', refused: 'not_landed' },
  },
  preparing: {
    steps: ['simulateBundle', 'storeMetadata', 'landBundle'],
    leads: { sending: 'landing', refused: 'not_landed' },
  },
  landing: {
    steps: ['landBundle'],
    // `blocked`: the payment is dead, and a stranger's lamports made the rest land.
    leads: { whole: 'recording', restDead: 'resuming', allDead: 'not_landed', blocked: 'needs_recovery' },
  },
  resuming: {
    steps: ['rebuildRest'],
    leads: { signed: 'landing', blocked: 'needs_recovery' },
  },
  recording: {
    steps: ['recordLaunch'],
    leads: { recorded: 'completed', forked: 'landing', blocked: 'needs_recovery' },
  },
  completed: {
    steps: ['finalizeLaunch'],
    // `recorded` again: a fork moved the launch to another block.
    leads: { finalized: 'finalized', forked: 'landing', recorded: 'completed' },
  },
  needs_recovery: {
    steps: [],
    leads: { resume: 'resuming', refund: 'refunding', record: 'recording', declined: 'needs_recovery' },
  },
  refunding: {
    steps: ['refundLaunch'],
    leads: { paidBack: 'refunded', neverPaid: 'not_landed', declined: 'needs_recovery' },
  },
  finalized: { steps: [], leads: {} },
  refunded: { steps: [], leads: {} },
  not_landed: { steps: [], leads: {} },
} as const satisfies Record<LaunchState, LaunchRule>;

type Machine = typeof LAUNCH_MACHINE;

export type LaunchEvent = { [State in LaunchState]: keyof Machine[State]['leads'] }[LaunchState];

export function stepsOf(state: LaunchState): readonly LaunchStepName[] {
  return LAUNCH_MACHINE[state].steps;
}

/** Undefined if it cannot happen here. */
export function nextLaunchState(state: LaunchState, event: LaunchEvent): LaunchState | undefined {
  const { leads }: LaunchRule = LAUNCH_MACHINE[state];
  return leads[event];
}

export function stateAfterResolution(action: ResolutionAction): LaunchState {
  return LAUNCH_MACHINE.needs_recovery.leads[action];
}

/** True if it leads nowhere. */
export function isSettled(state: LaunchState): boolean {
  return Object.keys(LAUNCH_MACHINE[state].leads).length === 0;
}

/** True if only an operator's decision leads on. */
export function awaitsDecision(state: LaunchState): boolean {
  return nextLaunchState(state, 'resume') !== undefined;
}

export function statesWith(event: LaunchEvent): readonly LaunchState[] {
  return LAUNCH_STATES.filter((state) => nextLaunchState(state, event) !== undefined);
}

export function mayFollow(from: LaunchState, to: LaunchState): boolean {
  const { leads }: LaunchRule = LAUNCH_MACHINE[from];
  return Object.values(leads).includes(to);
}
