import { expect, test } from 'vitest';
import { createFeesReader } from '../../../api/claim/fees-reader.ts';
import { testDeps } from '../../support/api/test-app.ts';
import { address } from '../../support/launch/launch-rows.ts';
import { PublicKey } from '@solana/web3.js';

const position = () => ({
  mint: new PublicKey(address()),
  quoteMint: new PublicKey(address()),
  pool: new PublicKey(address()),
  feeKeyMint: new PublicKey(address()),
});

test('simultaneous reads of a position’s fees ask the chain once, and each position is asked for by itself', async () => {
  const deps = testDeps();
  let asked = 0;
  const readPool = async () => {
    asked += 1;
    throw new Error('away');
  };
  const exchange = { ...deps.launching.exchange, readPool };
  const fees = createFeesReader({ ...deps, launching: { ...deps.launching, exchange } });
  const [one, other] = [position(), position()];
  const reads = await Promise.allSettled([fees(one), fees({ ...one }), fees(other), fees(one)]);
  expect([asked, new Set(reads.map(({ status }) => status))]).toEqual([2, new Set(['rejected'])]);
  await expect(fees(one)).rejects.toThrow('away');
  expect(asked).toBe(3);
});
