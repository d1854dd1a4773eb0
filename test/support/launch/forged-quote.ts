import { PublicKey } from '@solana/web3.js';
import { createQuoteSealer } from '../../../api/launch/sealed-quote.ts';
import { buildPayment } from '../../../chain/launch/payment.ts';
import type { LaunchTerms } from '../../../domain/launch/terms.ts';
import type { Creator, Prepared } from '../platform/creator.ts';
import type { Platform } from '../platform/platform.ts';
import { quoteKeysOf } from './alterations/quote-alterations.ts';

/** What is changed in a quote, given the terms that the API had sealed. */
export type Forgery = (terms: LaunchTerms) => Partial<LaunchTerms> | Promise<Partial<LaunchTerms>>;

/** Opens and seals quotes with the platform's own keys. */
export function sealerOf(platform: Platform) {
  const [key, ...others] = quoteKeysOf({ platform });
  if (!key) throw new Error('there is no quote key');
  return createQuoteSealer([key, ...others], { environment: 'test', genesisHash: platform.chain.genesisHash });
}

/** Seals forged terms with the platform's own key; the payment is consistent with them, and its creator signs it. */
export async function submitForged(platform: Platform, creator: Creator, prepared: Prepared, forge: Forgery) {
  const sealer = sealerOf(platform);
  const issued = await sealer.open(prepared.signedQuote);
  const forged = { ...issued, ...(await forge(issued)) };
  const payment = buildPayment({
    quoteId: forged.quoteId,
    creator: creator.address,
    launchWallet: new PublicKey(forged.addresses.launchWallet),
    feeRecipient: null,
    lamports: BigInt(forged.payment.lamports),
    blockhash: forged.payment.blockhash,
    computeUnitPrice: BigInt(forged.network.computeUnitPrice),
  });
  const message = Buffer.from(payment.message.serialize()).toString('base64');
  payment.sign([creator.keypair]);
  return creator.submit({
    signedQuote: await sealer.seal({ ...forged, payment: { ...forged.payment, message } }),
    signedTransaction: Buffer.from(payment.serialize()).toString('base64'),
    logo: prepared.logo,
  });
}

/** The payment with another price of one item. */
export function repriced({ payment }: LaunchTerms, item: string, lamports: string): Pick<LaunchTerms, 'payment'> {
  const items = payment.items.map((one) => (one.item === item ? { ...one, lamports } : one));
  const sum = items.reduce((total, one) => total + BigInt(one.lamports), 0n).toString();
  return { payment: { ...payment, items, lamports: sum } };
}
