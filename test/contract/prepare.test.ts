import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Creator, createCreator } from '../support/platform/creator.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';

let platform: Platform;
let creator: Creator;
beforeAll(async () => {
  platform = await startPlatform();
  creator = await createCreator(platform);
});
afterAll(() => platform.close());

test.each([
  [
    'a tier of fees with a reward coin',
    { mode: 'reward', feeTier: '2%' },
    'feeTier 2% applies to standard launches only',
  ],
  ['a tax with a standard coin', { rewardTaxBps: 300 }, 'rewardTaxBps 300 applies to reward launches only'],
  ['a name of 33 bytes', { name: 'x'.repeat(33) }, 'name "'],
  ['a symbol of 11 bytes', { symbol: 'ABCDEFGHIJK' }, 'symbol "'],
  ['a quote token that is no pair', { quoteMint: Keypair.generate().publicKey.toBase58() }, 'pair'],
])('prepare refuses %s', async (_what, changes, words) => {
  const { http, error } = await creator.tryPrepare(changes);
  expect([http, error?.code]).toEqual([400, 'invalid_request']);
  expect(error?.message).toContain(words);
});

test('prepare takes the defaults of the contract: standard at 1 %, a reward coin at 100 bps', async () => {
  const [standard, reward] = [await creator.prepare(), await creator.prepare({ mode: 'reward' })];
  expect(standard).toMatchObject({ mode: 'standard', poolFeePercent: 1, transferFee: null });
  expect(reward).toMatchObject({ mode: 'reward', poolFeePercent: 1, transferFee: { bps: 100 } });
});

test.each(['creatorWallet', 'quoteMint', 'name', 'symbol', 'logo'])('prepare needs %s', async (field) => {
  const { http, error } = await creator.tryPrepare({ [field]: undefined });
  expect([http, error?.code]).toEqual([400, 'invalid_request']);
  expect(error?.message).toBe(`body field "${field}" is missing`);
});

test.each(['signedQuote', 'signedTransaction', 'logo'] as const)('submit needs %s', async (field) => {
  const submission = { ...creator.sign(await creator.prepare()), [field]: undefined };
  const answer = await platform.api.inject({
    method: 'POST',
    url: '/api/public/v1/launches/submit',
    payload: submission,
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ error: { message: `body field "${field}" is missing` } });
});

test('the price of a dev buy is in the payment, whose items add up to it', async () => {
  const { payment, devBuy } = await creator.prepare({ devBuySol: 0.05 });
  const total = payment.items.reduce((sum, { lamports }) => sum + lamports, 0);
  expect(payment.lamports).toBe(total);
  expect(payment.lamports - payment.feeLamports).toBe(devBuy?.lamports);
});
