import { describe, expect, it } from 'vitest';
import { leadsTo, linkVault, type VaultStep } from '../../domain/market/vault-chain.ts';

const step = (slot: number, before: bigint, after: bigint): VaultStep => ({ slot, before, after });

describe('a vault’s history', () => {
  it('is whole when every transaction begins where the one before it ended', () => {
    const steps = [step(1, 0n, 10n), step(2, 10n, 4n), step(2, 4n, 7n)];
    expect(linkVault(steps, 0n)).toEqual({ whole: true, steps, end: 7n });
  });

  it('is whole and unchanged without a transaction', () => {
    expect(linkVault([], 5n)).toEqual({ whole: true, steps: [], end: 5n });
  });

  it('is put in order within a slot, where an endpoint told it in another', () => {
    const [first, second, third] = [step(3, 1n, 2n), step(3, 2n, 3n), step(3, 3n, 4n)];
    expect(linkVault([third, first, second], 1n)).toEqual({ whole: true, steps: [first, second, third], end: 4n });
  });

  it('is put in order also where balances come back, so that a first guess leads into a dead end', () => {
    // From 1 there are three ways on; only 1 → 2 → 1 → 3 → 1 → 4 uses them all.
    const steps = [step(9, 1n, 4n), step(9, 1n, 2n), step(9, 3n, 1n), step(9, 1n, 3n), step(9, 2n, 1n)];
    const chain = linkVault(steps, 1n);
    expect(chain).toMatchObject({ whole: true, end: 4n });
    expect(chain.whole && new Set(chain.steps).size).toBe(5);
  });

  it('has a gap where the balance does not fit, and says which', () => {
    expect(linkVault([step(5, 1n, 2n), step(8, 3n, 4n)], 1n)).toEqual({
      whole: false,
      gap: 'the vault held 2 and the next known transactions, of slot 8, begin with 3',
    });
  });

  it('has a gap where one of a slot’s transactions is missing', () => {
    expect(linkVault([step(5, 1n, 2n), step(5, 3n, 4n)], 1n)).toMatchObject({ whole: false });
  });

  it('has a gap where it begins elsewhere than the cursor stands', () => {
    expect(linkVault([step(5, 1n, 2n)], 0n)).toMatchObject({ whole: false });
  });
});

describe('transactions in an order that is known', () => {
  const steps = [step(5, 1n, 4n), step(6, 4n, 2n)];

  it('lead from one balance to another where each begins with what the one before it left', () => {
    expect(leadsTo(steps, 1n, 2n)).toBe(true);
    expect(leadsTo([], 2n, 2n)).toBe(true);
  });

  it('do not where they begin or end with another balance, or one between is missing', () => {
    expect(leadsTo(steps, 0n, 2n)).toBe(false);
    expect(leadsTo(steps, 1n, 3n)).toBe(false);
    expect(leadsTo([step(5, 1n, 4n), step(6, 5n, 2n)], 1n, 2n)).toBe(false);
    expect(leadsTo([], 1n, 2n)).toBe(false);
  });
});
