import { VersionedTransaction } from '@solana/web3.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  base64,
  SOL,
  signatureOf,
  someone,
  startChain,
  type TestChain,
  transfer,
} from '../../support/dev/localnet-chain.ts';
import { signAnew } from '../../support/dev/second-signature.ts';

let chain: TestChain;
beforeEach(async () => {
  chain = await startChain();
});
afterEach(() => chain.node.close());

const preflight = { encoding: 'base64', preflightCommitment: 'processed' };

test('a transaction that landed is refused a second time', async () => {
  const transaction = await chain.sign([transfer(chain.wallet, someone(), SOL)]);
  await chain.land(transaction);
  const error = await chain.failure('sendTransaction', [base64(transaction), preflight]);
  expect([error.code, error.data?.err]).toEqual([-32002, 'AlreadyProcessed']);
  expect(error.message).toBe('Transaction simulation failed: This transaction has already been processed');
});

test('a message that landed is refused under another valid signature', async () => {
  const to = someone();
  const first = await chain.sign([transfer(chain.wallet, to, SOL)]);
  const message = first.message.serialize();
  const second = new VersionedTransaction(first.message, [signAnew(message, chain.wallet.secretKey)]);
  expect(signatureOf(second)).not.toBe(signatureOf(first));
  await chain.land(first);
  const error = await chain.failure('sendTransaction', [base64(second), preflight]);
  expect(error.data?.err).toBe('AlreadyProcessed');
  await chain.land(second);
  chain.advance(1);
  expect(await chain.balance(to)).toBe(Number(SOL));
});

test('the other signature alone lands, so that the refusal is of the message', async () => {
  const to = someone();
  const first = await chain.sign([transfer(chain.wallet, to, SOL)]);
  const signature = signAnew(first.message.serialize(), chain.wallet.secretKey);
  await chain.call('sendTransaction', [base64(new VersionedTransaction(first.message, [signature])), preflight]);
  expect(await chain.balance(to)).toBe(Number(SOL));
});

test('two airdrops of one amount to one wallet in one slot both land', async () => {
  const to = someone();
  await chain.call('requestAirdrop', [to.toBase58(), Number(SOL)]);
  await chain.call('requestAirdrop', [to.toBase58(), Number(SOL)]);
  expect(await chain.balance(to)).toBe(2 * Number(SOL));
});
