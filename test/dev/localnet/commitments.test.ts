import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  base64,
  type Commitment,
  SOL,
  someone,
  startChain,
  type TestChain,
  transfer,
  type Value,
} from '../../support/dev/localnet-chain.ts';

let chain: TestChain;
beforeEach(async () => {
  chain = await startChain();
});
afterEach(() => chain.node.close());

test('slots and block heights are different numbers from the start', async () => {
  expect(await chain.slot('processed')).not.toBe(await chain.height('processed'));
});

test('a slot without a block moves the slot on and not the block height', async () => {
  chain.advance(1);
  const [slot, height] = [await chain.slot('processed'), await chain.height('processed')];
  chain.node.control.skipNextSlots(3);
  chain.advance(1);
  expect(await chain.slot('processed')).toBe(slot + 4);
  expect(await chain.height('processed')).toBe(height + 1);
});

test('confirmed is one slot and finalized 31 slots behind processed', async () => {
  chain.advance(40);
  const processed = await chain.slot('processed');
  expect(await chain.slot('confirmed')).toBe(processed - 1);
  expect(await chain.slot('finalized')).toBe(processed - 31);
  expect(await chain.call('getSlot')).toBe(processed - 31);
});

test('a balance is read at the commitment that was asked for', async () => {
  const to = someone();
  await chain.land(await chain.sign([transfer(chain.wallet, to, SOL)]));
  const balance = (commitment: Commitment): Promise<number> => chain.balance(to, commitment);
  expect([await balance('processed'), await balance('confirmed'), await balance('finalized')]).toEqual([1e9, 0, 0]);
  chain.advance(1);
  expect([await balance('confirmed'), await balance('finalized')]).toEqual([1e9, 0]);
  chain.advance(30);
  expect(await balance('finalized')).toBe(1e9);
});

test('a method refuses a minContextSlot that its commitment has not reached', async () => {
  chain.advance(1);
  const slot = await chain.slot('processed');
  const error = await chain.failure('getBalance', [
    chain.wallet.publicKey.toBase58(),
    { commitment: 'finalized', minContextSlot: slot },
  ]);
  expect(error.code).toBe(-32016);
  expect(error.data?.contextSlot).toBeLessThan(slot);
});

test('a preflight runs on the state of its commitment', async () => {
  const payer = chain.fundedWallet();
  const poor = chain.fundedWallet(SOL);
  await chain.run([transfer(payer, poor.publicKey, 10n * SOL)], { payer });
  const wire = base64(await chain.sign([transfer(poor, payer.publicKey, 5n * SOL)], { payer: poor }));
  const send = (preflightCommitment: string) => [wire, { encoding: 'base64', preflightCommitment }];
  // The blockhash is confirmed and not yet finalized, so a finalized preflight does not know it.
  expect((await chain.failure('sendTransaction', send('finalized'))).message).toContain('Blockhash not found');
  expect(await chain.call('sendTransaction', send('confirmed'))).toMatch(/^\w{80,90}$/);
});

test('an account is simulated as it was at the commitment', async () => {
  const poor = chain.fundedWallet(SOL);
  await chain.run([transfer(chain.wallet, poor.publicKey, 10n * SOL)]);
  const wire = base64(await chain.sign([transfer(poor, chain.wallet.publicKey, 5n * SOL)], { payer: poor }));
  const simulate = async (commitment: string): Promise<unknown> => {
    const options = { encoding: 'base64', commitment, replaceRecentBlockhash: true };
    return (await chain.call<Value<{ err: unknown }>>('simulateTransaction', [wire, options])).value.err;
  };
  expect(await simulate('finalized')).toEqual({ InstructionError: [0, { Custom: 1 }] });
  expect(await simulate('confirmed')).toBeNull();
});
