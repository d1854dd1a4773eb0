import { afterEach, beforeEach, expect, test } from 'vitest';
import { signatureOf, SOL, someone, startChain, type TestChain, transfer } from '../../support/dev/localnet-chain.ts';

let chain: TestChain;
beforeEach(async () => {
  chain = await startChain();
});
afterEach(() => chain.node.close());

test('a status moves from processed over confirmed to finalized', async () => {
  const signature = await chain.land(await chain.sign([transfer(chain.wallet, someone(), SOL)]));
  const status = async (): Promise<unknown[]> => {
    const [found] = await chain.statuses([signature]);
    return [found?.confirmationStatus, found?.confirmations];
  };
  expect(await status()).toEqual(['processed', 0]);
  chain.advance(1);
  expect(await status()).toEqual(['confirmed', 1]);
  chain.advance(29);
  expect(await status()).toEqual(['confirmed', 30]);
  chain.advance(1);
  expect(await status()).toEqual(['finalized', null]);
});

test('a status that left the recent cache is null without history and found with it', async () => {
  const signature = await chain.run([transfer(chain.wallet, someone(), SOL)]);
  chain.advance(310);
  expect(await chain.statuses([signature])).toEqual([null]);
  const [found] = await chain.statuses([signature], true);
  expect([found?.err, found?.confirmationStatus]).toEqual([null, 'finalized']);
});

test('a signature that never landed is null with history too', async () => {
  const transaction = await chain.sign([transfer(chain.wallet, someone(), SOL)]);
  expect(await chain.statuses([signatureOf(transaction)], true)).toEqual([null]);
});
