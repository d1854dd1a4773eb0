import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  base64,
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

const confirmed = { commitment: 'confirmed' };

test('a blockhash lands up to its last valid block height and not after it', async () => {
  const { blockhash, lastValidBlockHeight } = await chain.latestBlockhash();
  const inTime = await chain.sign([transfer(chain.wallet, someone(), SOL)], { blockhash });
  const late = await chain.sign([transfer(chain.wallet, someone(), 2n * SOL)], { blockhash });
  const height = await chain.height('processed');
  chain.advance(lastValidBlockHeight - height);
  expect(await chain.height('processed')).toBe(lastValidBlockHeight);
  const landed = await chain.land(inTime);
  chain.advance(1);
  const refused = await chain.land(late);
  chain.advance(1);
  const [first, second] = await chain.statuses([landed, refused]);
  expect([first?.err, second]).toEqual([null, null]);
});

test('a blockhash is valid for 150 blocks, however many slots are skipped between them', async () => {
  const { blockhash } = await chain.latestBlockhash();
  chain.node.control.skipNextSlots(500);
  chain.advance(1);
  expect((await chain.call<Value<boolean>>('isBlockhashValid', [blockhash, confirmed])).value).toBe(true);
});

test('an expired blockhash is not valid and fails the preflight', async () => {
  const transaction = await chain.sign([transfer(chain.wallet, someone(), SOL)]);
  const { blockhash } = await chain.latestBlockhash();
  chain.node.control.expireBlockhashes();
  expect((await chain.call<Value<boolean>>('isBlockhashValid', [blockhash, confirmed])).value).toBe(false);
  const error = await chain.failure('sendTransaction', [
    base64(transaction),
    { encoding: 'base64', preflightCommitment: 'confirmed' },
  ]);
  expect([error.code, error.message, error.data?.err]).toEqual([
    -32002,
    'Transaction simulation failed: Blockhash not found',
    'BlockhashNotFound',
  ]);
});

test('a fee is not known for a message whose blockhash expired', async () => {
  const transaction = await chain.sign([transfer(chain.wallet, someone(), SOL)]);
  const message = Buffer.from(transaction.message.serialize()).toString('base64');
  expect((await chain.call<Value<number | null>>('getFeeForMessage', [message, confirmed])).value).toBe(5000);
  chain.node.control.expireBlockhashes();
  expect((await chain.call<Value<number | null>>('getFeeForMessage', [message, confirmed])).value).toBeNull();
});
