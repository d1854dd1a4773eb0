import { describe, expect, it } from 'vitest';
import { isSettled, LAUNCH_MACHINE, mayFollow, nextLaunchState, stepsOf } from '../../domain/launch/machine.ts';
import { RESOLUTION_ACTIONS } from '../../domain/launch/operator-decision.ts';
import { LAUNCH_STATES, phaseOf } from '../../domain/launch/state.ts';
import { explore } from '../support/launch/model/explore.ts';
import { CALM, type Scope } from '../support/launch/model/service.ts';
import type { Flaw } from '../support/launch/model/world.ts';

describe('the table of a launch', () => {
  it('has steps for a state, or ends there, or waits for an operator', () => {
    for (const state of LAUNCH_STATES) {
      const leads = Object.values(LAUNCH_MACHINE[state].leads);
      expect([state, leads.length === 0]).toEqual([state, isSettled(state)]);
      expect([state, stepsOf(state).length === 0]).toEqual([state, isSettled(state) || state === 'needs_recovery']);
    }
  });

  it('leads an operator wherever a decision says', () => {
    for (const action of RESOLUTION_ACTIONS) expect(nextLaunchState('needs_recovery', action)).toBeDefined();
  });

  it('never leads from "the payment may land" to "not charged" without a proof or a refund', () => {
    const before = LAUNCH_STATES.filter((state) =>
      LAUNCH_STATES.some((to) => mayFollow(state, to) && isNotCharged(to)),
    );
    expect(before).toEqual(['received', 'preparing', 'landing', 'refunding']);
  });
});

const isNotCharged = (state: (typeof LAUNCH_STATES)[number]) => phaseOf(state) === 'uncharged';

it('keeps every promise and can always be settled, whatever lands, expires, crashes, repeats and forks', () => {
  const { states, broken, deadEnd } = explore({ ...CALM, forks: true });
  expect({ broken, deadEnd }).toEqual({});
  expect(states).toBeGreaterThan(100_000);
});

describe('the exploration finds a service that', () => {
  const flaws: [flaw: Flaw, scope: Partial<Scope>, found: RegExp][] = [
    ['rebuild-unproven', {}, /signed anew while the old one may land/],
    ['refund-unproven', {}, /refund/],
    ['dead-at-expiry', {}, /can still land/],
    ['give-up-without-asking', { restore: true }, /of a payment that landed/],
    ['refuse-without-row', {}, /was told, and then the payment could land/],
  ];

  it.each(flaws)('has the flaw %s', (flaw, scope, found) => {
    const { broken } = explore({ ...CALM, ...scope, flaws: new Set([flaw]) });
    expect(broken?.promise).toMatch(found);
  });

  it('waits for ever for a payment that died while a stranger made the rest land', () => {
    const flaws = new Set(['wait-for-dead-payment'] as const);
    const { deadEnd } = explore({ ...CALM, gifts: true, flaws });
    expect(deadEnd?.at(-1)).toContain('landing');
  });
});
