import { expect, it } from 'vitest';
import { WALLETS } from '../support/wallets/wallets.ts';

it('eight wallets or more have a public source', () => {
  const sourced = WALLETS.filter(({ reported }) => /\([\w-]+\/[\w.-]+/.test(reported));
  expect(sourced.length).toBeGreaterThanOrEqual(8);
});
