import { describe, expect, it } from 'vitest';
import { ON_CHAIN, publicStatusOf } from '../../domain/launch/public-status.ts';
import { isSettled } from '../../domain/launch/machine.ts';
import { LAUNCH_STATES, phaseOf } from '../../domain/launch/state.ts';

/** What the API says in each state of a launch whose payment landed, whether anything is left to do, and whether "not charged" may be said. */
const TABLE = {
  received: ['processing', false],
  preparing: ['processing', false],
  landing: ['processing', false],
  resuming: ['processing', false],
  recording: ['processing', false],
  completed: ['completed', false],
  finalized: ['completed', true],
  needs_recovery: ['conflict', false],
  refunding: ['conflict', false],
  refunded: ['service_unavailable', true],
  not_landed: ['service_unavailable', true],
} as const;

describe('the state of a launch', () => {
  it('is one of those in the table', () => {
    expect([...LAUNCH_STATES].sort()).toEqual(Object.keys(TABLE).sort());
  });

  it.each(LAUNCH_STATES)('%s has the public status and the end that the table says', (state) => {
    expect([publicStatusOf(state, 'payment'), isSettled(state)]).toEqual(TABLE[state]);
  });

  it('is a conflict only where a row of the payment landed; without one it is processing', () => {
    const parked = LAUNCH_STATES.filter((state) => phaseOf(state) === 'parked');
    expect(parked).toEqual(['needs_recovery', 'refunding']);
    for (const state of parked) {
      const statuses = ON_CHAIN.map((onChain) => publicStatusOf(state, onChain));
      expect(statuses).toEqual(['processing', 'conflict', 'conflict']);
    }
  });

  it('is called "not charged" only once nothing can change any more', () => {
    const notCharged = LAUNCH_STATES.filter((state) => phaseOf(state) === 'uncharged');
    expect(notCharged.every(isSettled)).toBe(true);
  });
});
