import { Keypair } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { findTight } from '../../chain/launch/compute-headroom.ts';
import { compileTransaction } from '../../chain/transactions/compile.ts';
import { memoInstruction } from '../../chain/transactions/memo.ts';

/** An unsigned transaction of one memo with this compute limit. */
function wireOf(computeUnits: number | null): Uint8Array {
  const [payer, blockhash] = [Keypair.generate().publicKey, Keypair.generate().publicKey.toBase58()];
  const plan = { payer, blockhash, computeUnits, computeUnitPrice: 0n, instructions: [memoInstruction('x')] };
  return compileTransaction(plan).serialize();
}

test('a transaction that takes more than nine tenths of what it asks for is found', () => {
  const wires = [wireOf(100_000), wireOf(10_000)];
  expect(findTight(wires, [90_000, 9_000])).toBeUndefined();
  expect(findTight(wires, [50_000, 9_001])).toEqual({ index: 1, unitsConsumed: 9_001, unitLimit: 10_000 });
  expect(findTight(wires, [90_001, 9_001])).toMatchObject({ index: 0 });
});

test('without a limit of its own the cluster’s 200,000 units an instruction count', () => {
  expect(findTight([wireOf(null)], [180_000])).toBeUndefined();
  expect(findTight([wireOf(null)], [180_001])).toMatchObject({ unitLimit: 200_000 });
});

test('what was not simulated is not judged', () => {
  expect(findTight([wireOf(100), wireOf(1)], [50])).toBeUndefined();
});
