import { describe, expect, it } from 'vitest';
import { explore } from '../support/launch/model/explore.ts';
import { CALM, type Scope } from '../support/launch/model/service.ts';
import type { Flaw } from '../support/launch/model/world.ts';

describe('every interleaving of landing, expiry, crash, repeat and decision', () => {
  const scopes: [what: string, scope: Scope, atLeast: number][] = [
    ['with activities that go on after they were given up', { ...CALM, zombies: true }, 250_000],
    ['with a database that is restored', { ...CALM, restore: true }, 100_000],
    ['with forks and a stranger who pays for the rest', { ...CALM, forks: true, gifts: true }, 300_000],
    ['with forks and forgotten activities', { ...CALM, transactions: 2, zombies: true, forks: true }, 200_000],
  ];

  it.each(scopes)('%s keeps every promise and can always be settled', (_, scope, atLeast) => {
    const { states, broken, deadEnd } = explore(scope);
    expect({ broken, deadEnd }).toEqual({});
    expect(states).toBeGreaterThan(atLeast);
  });
});

describe('the exploration finds a service that', () => {
  const flaws: [flaw: Flaw, scope: Partial<Scope>, found: RegExp][] = [
    ['send-signed', { zombies: true }, /is sent while the ledger says s/],
    ['persist-late-rest', { zombies: true }, /bytes are left that somebody could send/],
    ['abandon-unconditionally', { zombies: true }, /is sent while the ledger says a/],
    ['refund-late', { zombies: true }, /refund/],
  ];

  it.each(flaws)('has the flaw %s', (flaw, scope, found) => {
    const { broken } = explore({ ...CALM, ...scope, flaws: new Set([flaw]) });
    expect(broken?.promise).toMatch(found);
  });

  it('stops for ever where a payment died after its rest was buried', () => {
    const flaws = new Set(['stop-without-payment'] as const);
    const { deadEnd } = explore({ ...CALM, transactions: 2, zombies: true, forks: true, flaws });
    expect(deadEnd?.at(-1)).toContain('resuming');
  });
});
