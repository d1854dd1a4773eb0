import { expect, it } from 'vitest';
import type { Chain } from '../../client/verify/chain.ts';
import { NotProvable } from '../../client/verify/check.ts';
import { findSeal } from '../../client/verify/seal.ts';

it('a listed transaction that no endpoint has is not taken for "no seal"', async () => {
  const chain: Pick<Chain, 'name' | 'history' | 'transaction'> = {
    name: 'rpc.example',
    history: async () => ({ entries: [{ signature: 'listed', slot: 7, hasFailed: false }], isWhole: true }),
    transaction: async () => null,
  };
  const found = findSeal(chain as Chain, { root: '00'.repeat(32), about: 'pot' }, 'payer', 100);
  await expect(found).rejects.toThrow(NotProvable);
  await expect(found).rejects.toThrow('rpc.example lists listed and does not have it');
});
