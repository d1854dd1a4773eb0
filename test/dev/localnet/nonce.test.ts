import {
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { base64, SOL, someone, startChain, type TestChain, transfer } from '../../support/dev/localnet-chain.ts';

let chain: TestChain;
let nonce: Keypair;

async function storedNonce(): Promise<string> {
  return NonceAccount.fromAccountData(await chain.accountData(nonce.publicKey)).nonce;
}

function advance(): TransactionInstruction {
  return SystemProgram.nonceAdvance({ noncePubkey: nonce.publicKey, authorizedPubkey: chain.wallet.publicKey });
}

beforeEach(async () => {
  chain = await startChain();
  nonce = Keypair.generate();
  const create = SystemProgram.createNonceAccount({
    fromPubkey: chain.wallet.publicKey,
    noncePubkey: nonce.publicKey,
    authorizedPubkey: chain.wallet.publicKey,
    lamports: await chain.call('getMinimumBalanceForRentExemption', [NONCE_ACCOUNT_LENGTH]),
  });
  await chain.run(create.instructions, { signers: [nonce] });
});
afterEach(() => chain.node.close());

test('a durable-nonce transaction lands long after any blockhash would have expired', async () => {
  const blockhash = await storedNonce();
  const to = someone();
  const transaction = await chain.sign([advance(), transfer(chain.wallet, to, SOL)], { blockhash });
  chain.node.control.expireBlockhashes();
  await chain.land(transaction);
  expect(await chain.balance(to)).toBe(Number(SOL));
  expect(await storedNonce()).not.toBe(blockhash);
});

test('a durable-nonce transaction that fails still advances the nonce and pays its fee', async () => {
  const blockhash = await storedNonce();
  const failing = [advance(), transfer(chain.wallet, someone(), 1000n * SOL)];
  const signature = await chain.run(failing, { blockhash });
  expect(await storedNonce()).not.toBe(blockhash);
  const { meta } = await chain.transaction(signature);
  expect(meta.err).toEqual({ InstructionError: [1, { Custom: 1 }] });
  expect((meta.preBalances[0] ?? 0) - (meta.postBalances[0] ?? 0)).toBe(5000);
});

test('a nonce that was used cannot be used again', async () => {
  const blockhash = await storedNonce();
  await chain.run([advance(), transfer(chain.wallet, someone(), SOL)], { blockhash });
  const again = base64(await chain.sign([advance(), transfer(chain.wallet, someone(), SOL)], { blockhash }));
  const options = { encoding: 'base64', preflightCommitment: 'processed' };
  expect((await chain.failure('sendTransaction', [again, options])).data?.err).toBe('BlockhashNotFound');
});

test('a nonce advances once in a slot', async () => {
  await chain.run([advance(), transfer(chain.wallet, someone(), SOL)], { blockhash: await storedNonce() });
  const [first, second] = [await storedNonce(), someone()];
  await chain.land(await chain.sign([advance(), transfer(chain.wallet, someone(), SOL)], { blockhash: first }));
  const next = await storedNonce();
  expect(next).not.toBe(first);
  await chain.land(await chain.sign([advance(), transfer(chain.wallet, second, SOL)], { blockhash: next }));
  expect(await chain.balance(second)).toBe(0);
});

test('nobody but its authority can use a nonce', async () => {
  const blockhash = await storedNonce();
  const thief = chain.fundedWallet();
  const steal = SystemProgram.nonceAdvance({ noncePubkey: nonce.publicKey, authorizedPubkey: thief.publicKey });
  const wire = base64(await chain.sign([steal], { payer: thief, blockhash }));
  const options = { encoding: 'base64', preflightCommitment: 'processed' };
  expect((await chain.failure('sendTransaction', [wire, options])).data?.err).toBe('BlockhashNotFound');
});

test('a nonce that a dropped slot had advanced is back', async () => {
  const blockhash = await storedNonce();
  await chain.run([advance(), transfer(chain.wallet, someone(), SOL)], { blockhash });
  chain.node.control.skipSlot();
  expect(await storedNonce()).toBe(blockhash);
});
