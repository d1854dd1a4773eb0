import {
  ComputeBudgetInstruction,
  Keypair,
  PublicKey,
  SystemInstruction,
  Transaction,
  TransactionMessage,
  type VersionedTransaction,
} from '@solana/web3.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { describe, expect, it } from 'vitest';
import { checkSignedPayment } from '../../chain/launch/check-payment.ts';
import { buildPayment, paymentNetworkFee } from '../../chain/launch/payment.ts';
import { MAX_TRANSACTION_BYTES } from '../../chain/transactions/compile.ts';
import { ENCODINGS } from '../support/clients/encodings.ts';
import { signedAnew } from '../support/platform/second-signature.ts';

const creator = Keypair.generate();
const launchWallet = Keypair.generate();
const quoteId = '0b6f2ad6-7d1c-4f6a-9a53-0f8f3b1c2d3e';
const request = {
  quoteId,
  creator: creator.publicKey,
  launchWallet: launchWallet.publicKey,
  feeRecipient: null,
  lamports: 290_000_000n,
  blockhash: Keypair.generate().publicKey.toBase58(),
  computeUnitPrice: 50_000n,
};
const base64 = (transaction: VersionedTransaction): string => Buffer.from(transaction.serialize()).toString('base64');

describe('the payment of a launch', () => {
  const payment = buildPayment(request);
  const { payerKey, recentBlockhash, instructions } = TransactionMessage.decompile(payment.message);

  it('is paid by the creator, moves the quoted lamports to the launch wallet, and does nothing else', () => {
    expect(payerKey.equals(creator.publicKey)).toBe(true);
    expect(recentBlockhash).toBe(request.blockhash);
    expect(instructions).toHaveLength(4);
    const { fromPubkey, toPubkey, lamports } = SystemInstruction.decodeTransfer(instructions[2]!);
    expect([fromPubkey.equals(creator.publicKey), toPubkey.equals(launchWallet.publicKey)]).toEqual([true, true]);
    expect(lamports).toBe(290_000_000n);
  });

  it('cannot land without the launch wallet’s signature, which its memo asks for', () => {
    const memo = instructions[3]!;
    expect(memo.data.toString()).toBe(`launch/${quoteId}/1`);
    expect(memo.keys.map(({ pubkey, isSigner }) => [pubkey.toBase58(), isSigner])).toEqual([
      [launchWallet.publicKey.toBase58(), true],
    ]);
    const required = payment.message.staticAccountKeys.slice(0, payment.message.header.numRequiredSignatures);
    expect(required.map((key) => key.toBase58())).toEqual([
      creator.publicKey.toBase58(),
      launchWallet.publicKey.toBase58(),
    ]);
  });

  it('names another recipient of the fees in a memo that needs no signature of its own', () => {
    const recipient = Keypair.generate().publicKey;
    const other = TransactionMessage.decompile(buildPayment({ ...request, feeRecipient: recipient }).message);
    expect(other.instructions.slice(0, 4)).toEqual(instructions);
    expect(other.instructions.slice(4).map(({ data, keys }) => [data.toString(), keys])).toEqual([
      [`fees/${recipient.toBase58()}`, []],
    ]);
  });

  it('is a legacy message that `Transaction` of web3.js reads, signs and gives back byte for byte', () => {
    const read = Transaction.from(Buffer.from(payment.serialize()));
    expect(payment.message.version).toBe('legacy');
    expect(read.compileMessage().serialize().equals(payment.message.serialize())).toBe(true);
    read.sign(creator);
    expect(() => read.serialize()).toThrow(launchWallet.publicKey.toBase58());
    expect(read.serialize({ requireAllSignatures: false })).toHaveLength(payment.serialize().length);
  });

  it('is handed out unsigned and leaves room for the assertions of wallets', () => {
    expect(payment.signatures.every((signature) => signature.every((byte) => byte === 0))).toBe(true);
    expect(payment.serialize().length).toBeLessThan(MAX_TRANSACTION_BYTES / 2);
  });

  it('costs the network fee of two signatures and the priority fee, rounded up', () => {
    const { units } = ComputeBudgetInstruction.decodeSetComputeUnitLimit(instructions[0]!);
    expect(paymentNetworkFee(150_000n)).toBe(10_000n + (BigInt(units) * 150_000n) / 1_000_000n);
    expect(paymentNetworkFee(150_001n)).toBe(paymentNetworkFee(150_000n) + 1n);
  });

  it('has at least the price that wallets leave alone', () => {
    const { units } = ComputeBudgetInstruction.decodeSetComputeUnitLimit(instructions[0]!);
    const least = 10_000n + (BigInt(units) * 100_000n) / 1_000_000n;
    expect([0n, 50_000n, 100_000n].map(paymentNetworkFee)).toEqual([least, least, least]);
  });
});

describe('a signed payment', () => {
  const issued = Buffer.from(buildPayment(request).message.serialize()).toString('base64');
  const signed = (): string => {
    const transaction = buildPayment(request);
    transaction.sign([creator]);
    return base64(transaction);
  };

  it('is accepted as it was issued', () => {
    const checked = checkSignedPayment(issued, signed());
    expect(checked.transaction.message.serialize()).toEqual(buildPayment(request).message.serialize());
  });

  it.each(ENCODINGS.map((encoding) => [encoding.what, encoding] as const))('is accepted as %s', (_what, { sign }) => {
    const { transaction, signature } = checkSignedPayment(issued, sign(base64(buildPayment(request)), creator));
    expect(transaction.message.serialize()).toEqual(buildPayment(request).message.serialize());
    expect([transaction.signatures.length, signature]).toEqual([2, checkSignedPayment(issued, signed()).signature]);
  });

  it('is accepted with every other valid signature of the same message', () => {
    const unsigned = base64(buildPayment(request));
    const wires = [signed(), signedAnew(unsigned, creator), signedAnew(unsigned, creator)];
    const signatures = wires.map((wire) => checkSignedPayment(issued, wire).signature);
    expect(new Set(signatures).size).toBe(3);
  });

  it('is refused from a key of small order, for which anybody can sign any message', () => {
    const smallOrder = ed25519.Point.ZERO.toBytes();
    const transaction = buildPayment({ ...request, creator: new PublicKey(smallOrder) });
    const forged = Buffer.concat([smallOrder, Buffer.alloc(32)]);
    const message = transaction.message.serialize();
    // The lenient rules of ZIP 215 take it, those of validators do not.
    expect(ed25519.verify(forged, message, smallOrder, { zip215: true })).toBe(true);
    transaction.signatures[0] = forged;
    const ownMessage = Buffer.from(message).toString('base64');
    expect(() => checkSignedPayment(ownMessage, base64(transaction))).toThrow('over this message');
  });
});
