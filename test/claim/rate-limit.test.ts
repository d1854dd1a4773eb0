import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { readFees, tryPrepare } from '../support/claim/claimant.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

it('claim prepare is limited to 20 a minute on a counter of its own', async () => {
  const mint = Keypair.generate().publicKey.toBase58();
  for (let count = 0; count < 30; count++) expect((await readFees(platform, mint)).http).toBe(404);
  for (let count = 0; count < 20; count++) expect((await tryPrepare(platform, mint, mint)).http).not.toBe(429);
  expect(await tryPrepare(platform, mint, mint)).toMatchObject({ http: 429, error: { code: 'rate_limited' } });
  expect((await readFees(platform, mint)).http).toBe(404);
});
