import { describe, expect, it } from 'vitest';
import { withdrawalLamports } from '../../chain/reward/round-transaction.ts';
import { worthWithdrawing } from '../../domain/reward/withdrawals.ts';

describe('withheld tax', () => {
  const costOf = (sources: number) => withdrawalLamports(sources, 100_000n);
  // A millionth of a USD for each raw unit; SOL at 150 USD.
  const prices = { solUsd: '150', tokenUsd: '1', decimals: 6 };
  const ofDust = Array.from({ length: 16 }, () => ({ raw: 1n }));

  it('costs three signatures and the compute units', () => {
    // (40,000 + 20,000 + 16 · 5,000) units at 0.1 lamports.
    expect(costOf(16)).toBe(29_000n);
  });

  it('is left where it is while it is worth no more than its withdrawal costs', () => {
    // 29,000 lamports are 0.00435 USD, one source costs 21,500: 0.003225 USD.
    const [equal, more] = [[{ raw: 3_225n }], [{ raw: 3_226n }]];
    expect(worthWithdrawing([ofDust, equal, more], costOf, prices)).toEqual([more]);
  });
});
