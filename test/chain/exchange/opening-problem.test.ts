import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { pairProblem } from '../../../chain/exchange/opening-problem.ts';
import { planLaunch } from '../../../chain/exchange/opening.ts';

const FEES = { tickSpacing: 120, feePpm: 10_000, protocolPpm: 120_000, fundPpm: 40_000 };

function problemOf(decimals: number, quotePriceUsd: string, fees = FEES): string | undefined {
  const quote = { mint: Keypair.generate().publicKey, decimals, tokenProgram: TOKEN_PROGRAM_ID };
  return pairProblem({ planLaunch }, fees, { mode: 'standard', feeTier: '1%' }, { quote, quotePriceUsd });
}

test.each([
  [6, '1'],
  [9, '0.042'],
  [8, '98765.43'],
  [0, '0.5'],
  [18, '60000'],
])('a quote token of %s decimals at %s USD can be launched with', (decimals, usd) => {
  expect(problemOf(decimals, usd)).toBeUndefined();
});

test.each([
  [0, '1', 'the largest dev buy would cost 131 raw units of it, which rounds its price by more than 1 %'],
  [0, '60000', 'its pool would open at 0.000000 USD instead of 5000'],
  [0, '100000', 'no pool can open: '],
  [18, '1', 'the largest dev buy would cost more raw units of it than 64 bits hold'],
  [12, '0.00000001', 'the largest dev buy would cost more raw units of it than 64 bits hold'],
  [18, '0.000000000000000000000001', 'no pool can open: '],
  [6, '0', 'no pool can open: '],
])('one of %s decimals at %s USD cannot, and it is said why', (decimals, usd, problem) => {
  expect(problemOf(decimals, usd)).toContain(problem);
});

test('a tick spacing that rounds the market cap by more than 1 % is a problem', () => {
  const problems = ['1', '1.01', '1.02', '1.03'].map((usd) => problemOf(6, usd, { ...FEES, tickSpacing: 480 }));
  expect(
    problems.some((problem) => /^its pool would open at (4|5)\d{3}\.\d+ USD instead of 5000$/.test(problem ?? '')),
  ).toBe(true);
});
