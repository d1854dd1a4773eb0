import { Keypair, type PublicKey, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  advanceNonce,
  buildNonceAccount,
  nonceAddress,
  nonceRent,
  readNonce,
} from '../../chain/claim/nonce-account.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import type { NonceCase } from '../../chain/rpc/prove-nonce-spent.ts';
import { compileTransaction } from '../../chain/transactions/compile.ts';
import { signTransaction } from '../../chain/transactions/sign-transaction.ts';
import { type Localnet, startLocalnet } from '../../dev/localnet/index.ts';
import { plainStamp } from '../support/lanes/stamps.ts';

let chain: Localnet;
let platform: Keypair;
beforeAll(async () => {
  chain = await startLocalnet({ slotMs: 0 });
  platform = Keypair.generate();
  chain.control.fund(platform.publicKey.toBase58(), 10n ** 10n);
  chain.control.advanceSlots(40);
});
afterEach(() => chain.control.clear());
afterAll(() => chain.close());

const rpcOf = () => createRpc({ endpoints: [chain.rpcUrl, `${chain.rpcUrl}/rpc/b`] });

/** A nonce account, and a transaction of the platform's own on its value. */
async function signOnNonce() {
  const rpc = rpcOf();
  const mint = Keypair.generate().publicKey;
  const account = await nonceAddress(platform.publicKey, mint);
  const { blockhash } = await rpc.latestBlockhash();
  const request = { platform, mint, stamp: plainStamp(platform, blockhash), computeUnitPrice: 0n };
  const made = await buildNonceAccount(request, await nonceRent(rpc));
  await rpc.sendWire(made.wire);
  chain.control.advanceSlots(3);
  const state = await readNonce(rpc, account);
  const transaction = compileTransaction({
    payer: platform.publicKey,
    blockhash: state?.nonce ?? '',
    computeUnits: 10_000,
    computeUnitPrice: 0n,
    first: advanceNonce(account, platform.publicKey),
    instructions: [],
  });
  const signed = await signTransaction(transaction, [platform]);
  const question: NonceCase = {
    nonceAccount: account.toBase58(),
    nonce: state?.nonce ?? '',
    issuedSlot: state?.slot ?? 0,
    signature: signed.signature,
    message: VersionedTransaction.deserialize(signed.wire).message.serialize(),
  };
  return { rpc, account, signed, question };
}

/** Advances a nonce by another transaction than the one in question. */
async function advance(account: PublicKey) {
  const rpc = rpcOf();
  const { blockhash } = await rpc.latestBlockhash();
  const transaction = compileTransaction({
    payer: platform.publicKey,
    blockhash,
    computeUnits: 10_000,
    computeUnitPrice: 0n,
    instructions: [advanceNonce(account, platform.publicKey)],
  });
  await rpc.sendWire((await signTransaction(transaction, [platform])).wire);
}

describe('whether a transaction on a durable nonce can still land', () => {
  it('is alive while its nonce is current, and while the value it stands on is not even final', async () => {
    const { rpc, question } = await signOnNonce();
    expect((await rpc.proveNonceSpent(question)).verdict).toBe('alive');
    chain.control.advanceSlots(40);
    expect((await rpc.proveNonceSpent(question)).verdict).toBe('alive');
  });

  it('is dead once another transaction’s advance is final, not before', async () => {
    const { rpc, account, question } = await signOnNonce();
    chain.control.advanceSlots(40);
    await advance(account);
    chain.control.advanceSlots(3);
    expect((await rpc.proveNonceSpent(question)).verdict).toBe('alive');
    chain.control.advanceSlots(40);
    expect(await rpc.proveNonceSpent(question)).toEqual({ verdict: 'dead' });
  });

  it('has landed where it advanced the nonce itself, also when only its message is known', async () => {
    const { rpc, signed, question } = await signOnNonce();
    chain.control.advanceSlots(40);
    await rpc.sendWire(signed.wire);
    chain.control.advanceSlots(40);
    const landed = { verdict: 'landed', signature: signed.signature, err: null };
    expect(await rpc.proveNonceSpent(question)).toMatchObject(landed);
    const other = bs58.encode(Buffer.alloc(64, 7));
    expect(await rpc.proveNonceSpent({ ...question, signature: other })).toMatchObject(landed);
  });

  it('is unknown while one of two endpoints is silent, behind, or has lost its history', async () => {
    const { rpc, account, question } = await signOnNonce();
    chain.control.advanceSlots(40);
    chain.control.stale('b');
    await advance(account);
    chain.control.advanceSlots(80);
    expect((await rpc.proveNonceSpent(question)).verdict).not.toBe('dead');
    chain.control.clear();
    chain.control.stall('error', undefined, 'b');
    expect((await rpc.proveNonceSpent(question)).verdict).toBe('unknown');
    chain.control.clear();
    chain.control.loseHistory(question.issuedSlot + 10, 'b');
    expect((await rpc.proveNonceSpent(question)).verdict).toBe('unknown');
    chain.control.clear();
    expect((await rpc.proveNonceSpent(question)).verdict).toBe('dead');
  });
});

describe('a nonce account', () => {
  it('is made although a stranger sent lamports to its address before', async () => {
    const rpc = rpcOf();
    const mint = Keypair.generate().publicKey;
    const account = await nonceAddress(platform.publicKey, mint);
    chain.control.fund(account.toBase58(), 1_000_000n);
    chain.control.advanceSlots(2);
    const { blockhash } = await rpc.latestBlockhash();
    const request = { platform, mint, stamp: plainStamp(platform, blockhash), computeUnitPrice: 0n };
    await rpc.sendWire((await buildNonceAccount(request, await nonceRent(rpc))).wire);
    chain.control.advanceSlots(3);
    expect(await readNonce(rpc, account)).toMatchObject({ authority: platform.publicKey.toBase58() });
  });
});
