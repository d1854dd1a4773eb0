import { Keypair, PublicKey, type VersionedTransaction } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { chargedLamports } from '../../activities/launch/charged-lamports.ts';
import { buildPayment } from '../../chain/launch/payment.ts';
import { networkFeeOfMessage } from '../../chain/transactions/wallet-changes.ts';
import { launchTerms, signature } from '../support/launch/launch-rows.ts';

const creator = Keypair.generate();
const { payment, quoteId, addresses } = launchTerms();
const LAMPORTS = BigInt(payment.lamports);

/** A payment of this launch, which its creator signed. */
function paymentOf(lamports: bigint, by = creator, computeUnitPrice = 50_000n): VersionedTransaction {
  const launchWallet = new PublicKey(addresses.launchWallet);
  const request = { quoteId, creator: by.publicKey, launchWallet, feeRecipient: null, lamports };
  const built = buildPayment({ ...request, blockhash: payment.blockhash, computeUnitPrice });
  built.sign([by]);
  return built;
}

const issued = paymentOf(LAMPORTS).message;
const message = Buffer.from(issued.serialize()).toString('base64');
const terms = launchTerms({ creator: creator.publicKey.toBase58(), payment: { ...payment, message } });
const FEE = networkFeeOfMessage(issued);

/** What is given back of a payment that a quorum has like this; null: no quorum has it. */
function charged(landed: VersionedTransaction | null, fee = FEE) {
  const answer = landed && { slot: 1, blockTime: null, err: null, fee, wire: landed.serialize() };
  const rpc = { agreedTransaction: () => Promise.resolve(answer as never) };
  return chargedLamports({ rpc }, { terms }, { signature: signature() });
}

it('a refund is of the payment and the network fee that the chain took', async () => {
  expect(await charged(paymentOf(LAMPORTS))).toBe(LAMPORTS + FEE);
  expect(await charged(paymentOf(LAMPORTS), FEE - 1n)).toBe(LAMPORTS + FEE - 1n);
});

it('a network fee above what the payment can take is not given back, whatever endpoints report', async () => {
  expect(await charged(paymentOf(LAMPORTS), 10n ** 12n)).toBe(LAMPORTS + FEE);
});

it('a network fee that the creator’s wallet raised is given back, up to what its message can take', async () => {
  const raised = paymentOf(LAMPORTS, creator, 1_000_000n);
  const fee = networkFeeOfMessage(raised.message);
  expect(fee).toBeGreaterThan(FEE);
  expect(await charged(raised, fee)).toBe(LAMPORTS + fee);
  expect(await charged(raised, fee + 1n)).toBe(LAMPORTS + fee);
});

it.each([
  ['of another amount', () => paymentOf(LAMPORTS + 1n)],
  ['of another wallet', () => paymentOf(LAMPORTS, Keypair.generate())],
])('a payment %s than the stored one is not given back', async (_what, landed) => {
  expect(await charged(landed())).toContain('is another payment than the stored one');
});

it('a payment that no quorum has yet is not given back, and nothing is decided', async () => {
  await expect(charged(null)).rejects.toThrow('no quorum of RPC endpoints has the finalized payment');
});
