import { PublicKey, type VersionedTransaction } from '@solana/web3.js';
import type { NetworkFees } from '../../chain/network-fees/network-fees.ts';
import { buildPayment } from '../../chain/launch/payment.ts';
import type { RecentBlockhash } from '../../chain/rpc/recent-blockhash.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import type { DerivedAddresses } from '../../db/launch/launch-addresses.ts';
import type { LaunchTerms, PaymentItem } from '../../domain/launch/terms.ts';

/** What a creator is asked to pay, and for which launch. */
export interface PaymentPlan {
  readonly derived: DerivedAddresses;
  readonly creator: PublicKey;
  readonly items: readonly PaymentItem[];
  readonly network: NetworkFees;
}

/** Builds the unsigned payment on the newest blockhash that a quorum has, with its end, and the terms that bind the launch to it. */
export async function planPayment(
  { launching }: { readonly launching: { readonly rpc: Pick<Rpc, 'provenBlockhash'> } },
  { derived, creator, items, network }: PaymentPlan,
): Promise<{ transaction: VersionedTransaction; terms: LaunchTerms['payment'] }> {
  const { quoteId, addresses } = derived;
  const lamports = items.reduce((sum, item) => sum + BigInt(item.lamports), 0n);
  const latest: RecentBlockhash = await launching.rpc.provenBlockhash();
  const transaction = buildPayment({
    quoteId,
    creator,
    lamports,
    blockhash: latest.blockhash,
    launchWallet: new PublicKey(addresses.launchWallet),
    computeUnitPrice: network.computeUnitPrice,
  });
  const message = Buffer.from(transaction.message.serialize()).toString('base64');
  const { blockhash, slot, lastValidBlockHeight } = latest;
  return {
    transaction,
    terms: { lamports: lamports.toString(), items, message, blockhash, blockhashSlot: slot, lastValidBlockHeight },
  };
}
