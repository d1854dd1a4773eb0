import { describe, expect, it } from 'vitest';
import { isSettled, LAUNCH_STATES, publicStatusOf } from '../../domain/launch/state.ts';

/** What the API says in each state, whether anything is left to do, and whether "not charged" may be said. */
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
    expect([publicStatusOf(state), isSettled(state)]).toEqual(TABLE[state]);
  });

  it('is called "not charged" only once nothing can change any more', () => {
    const notCharged = LAUNCH_STATES.filter((state) => publicStatusOf(state) === 'service_unavailable');
    expect(notCharged.every(isSettled)).toBe(true);
  });
});
