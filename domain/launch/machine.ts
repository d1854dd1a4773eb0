import type { ResolutionAction } from './operator-decision.ts';
import { LAUNCH_STATES, type LaunchState } from './state.ts';

/** Name of an activity that takes a launch on. */
export type LaunchStepName =
  | 'assembleBundle'
  | 'simulateBundle'
  | 'storeMetadata'
  | 'landBundle'
  | 'rebuildRest'
  | 'recordLaunch'
  | 'finalizeLaunch'
  | 'refundLaunch';

/** What runs in a state of a launch, and what may come of it. */
export interface LaunchRule {
  /** Activities in order; as soon as one of them led to another state, that state's rule goes on. */
  readonly steps: readonly LaunchStepName[];
  /** Next state by event. An event that is not named cannot happen in this state. */
  readonly leads: Readonly<Record<string, LaunchState>>;
}

/**
 * The whole life of a launch. The workflow takes its steps from here, the database refuses every transition that is not
 * here, and the model check explores it with everything that can go wrong around it.
 *
 * A state without steps is either settled (it leads nowhere) or waits for an operator.
 */
export const LAUNCH_MACHINE = {
  received: {
    steps: ['assembleBundle'],
    // `begun`, `blocked`: the database is an older copy and the payment is on the chain already.
    leads: { signed: 'preparing', begun: 'landing', blocked: 'needs_recovery', refused: 'not_landed' },
  },
  preparing: {
    steps: ['simulateBundle', 'storeMetadata', 'landBundle'],
    leads: { sending: 'landing', refused: 'not_landed' },
  },
  landing: {
    steps: ['landBundle'],
    // `blocked`: the payment is dead, and lamports of somebody else made the rest land.
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

/** Something that can happen to a launch in at least one state. */
export type LaunchEvent = { [State in LaunchState]: keyof Machine[State]['leads'] }[LaunchState];

/** The steps of a state, in order. */
export function stepsOf(state: LaunchState): readonly LaunchStepName[] {
  return LAUNCH_MACHINE[state].steps;
}

/** Where an event leads from a state; undefined where it cannot happen there. */
export function nextLaunchState(state: LaunchState, event: LaunchEvent): LaunchState | undefined {
  const { leads }: LaunchRule = LAUNCH_MACHINE[state];
  return leads[event];
}

/** Where an operator's decision leads a parked launch. */
export function stateAfterResolution(action: ResolutionAction): LaunchState {
  return LAUNCH_MACHINE.needs_recovery.leads[action];
}

/** States in which an event can happen. */
export function statesWith(event: LaunchEvent): readonly LaunchState[] {
  return LAUNCH_STATES.filter((state) => nextLaunchState(state, event) !== undefined);
}

/** True when some event leads from the one state to the other. */
export function mayFollow(from: LaunchState, to: LaunchState): boolean {
  const { leads }: LaunchRule = LAUNCH_MACHINE[from];
  return Object.values(leads).includes(to);
}
