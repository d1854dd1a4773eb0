import { describe, expect, it } from 'vitest';
import { LAUNCH_MACHINE, mayFollow, nextLaunchState, stepsOf } from '../../domain/launch/machine.ts';
import { RESOLUTION_ACTIONS } from '../../domain/launch/operator-decision.ts';
import { isSettled, LAUNCH_STATES, publicStatusOf } from '../../domain/launch/state.ts';
import { explore } from '../support/launch/model/explore.ts';
import type { Scope } from '../support/launch/model/service.ts';
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

const isNotCharged = (state: (typeof LAUNCH_STATES)[number]) => publicStatusOf(state) === 'service_unavailable';

const CALM: Scope = { transactions: 4, zombies: false, restore: false, forks: false, gifts: false, flaws: new Set() };

describe('every interleaving of landing, expiry, crash, repeat and decision', () => {
  const scopes: [what: string, scope: Scope, atLeast: number][] = [
    ['with forks', { ...CALM, forks: true }, 100_000],
    ['with activities that go on after they were given up', { ...CALM, zombies: true }, 250_000],
    ['with a database that is restored', { ...CALM, restore: true }, 100_000],
    ['with forks and a stranger who pays for the rest', { ...CALM, forks: true, gifts: true }, 300_000],
    ['with forks and forgotten activities', { ...CALM, transactions: 2, zombies: true, forks: true }, 200_000],
  ];

  it.each(scopes)('%s keeps every promise and can always be settled', (what, scope, atLeast) => {
    const { states, transitions, broken, deadEnd } = explore(scope);
    console.log(`launch model ${what}: ${states} states, ${transitions} transitions`);
    expect({ broken, deadEnd }).toEqual({});
    expect(states).toBeGreaterThan(atLeast);
  });
});

describe('the exploration finds a service that', () => {
  const flaws: [flaw: Flaw, scope: Partial<Scope>, found: RegExp][] = [
    ['send-signed', { zombies: true }, /is sent while the ledger says s/],
    ['persist-late-rest', { zombies: true }, /bytes are left that somebody could send/],
    ['rebuild-unproven', {}, /signed anew while the old one may land/],
    ['refund-unproven', {}, /refund/],
    ['abandon-unconditionally', { zombies: true }, /is sent while the ledger says a/],
    ['dead-at-expiry', {}, /can still land/],
    ['give-up-without-asking', { restore: true }, /of a payment that landed/],
    ['refund-late', { zombies: true }, /refund/],
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

  it('stops for ever where a payment died after its rest was buried', () => {
    const flaws = new Set(['stop-without-payment'] as const);
    const { deadEnd } = explore({ ...CALM, transactions: 2, zombies: true, forks: true, flaws });
    expect(deadEnd?.at(-1)).toContain('resuming');
  });
});
