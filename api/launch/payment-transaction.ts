import { PublicKey, type VersionedTransaction } from '@solana/web3.js';
import type { NetworkFees } from '../../chain/network-fees/network-fees.ts';
import { buildPayment } from '../../chain/launch/payment.ts';
import type { ChainHead } from '../../chain/rpc/head.ts';
import type { RecentBlockhash } from '../../chain/rpc/recent-blockhash.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import type { DerivedAddresses } from '../../db/launch/launch-addresses.ts';
import { submittableUntil } from '../../domain/launch/quote-window.ts';
import type { LaunchTerms, PaymentItem } from '../../domain/launch/terms.ts';

export interface PaymentPlan {
  readonly derived: DerivedAddresses;
  readonly creator: PublicKey;
  /** Null: the creator. */
  readonly feeRecipient: PublicKey | null;
  readonly items: readonly PaymentItem[];
  /** Their sum. */
  readonly lamports: bigint;
  readonly network: NetworkFees;
}

interface PaymentDeps {
  readonly launching: { readonly rpc: Pick<Rpc, 'provenBlockhash' | 'head' | 'blockMs'> };
  readonly now: () => Date;
}

export interface PlannedPayment {
  readonly transaction: VersionedTransaction;
  readonly terms: LaunchTerms['payment'];
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
}

/** Slow work must come earlier: the time to sign starts here. */
export async function planPayment(
  { launching, now }: PaymentDeps,
  { derived, creator, feeRecipient, items, lamports, network }: PaymentPlan,
): Promise<PlannedPayment> {
  const { quoteId, addresses } = derived;
  const at = now().getTime();
  const [latest, { blockHeight }, blockMs]: [RecentBlockhash, ChainHead, number] = await Promise.all([
    launching.rpc.provenBlockhash(),
    launching.rpc.head('confirmed'),
    launching.rpc.blockMs(),
  ]);
  const transaction = buildPayment({
    quoteId,
    creator,
    feeRecipient,
    lamports,
    blockhash: latest.blockhash,
    launchWallet: new PublicKey(addresses.launchWallet),
    computeUnitPrice: network.computeUnitPrice,
  });
  const message = Buffer.from(transaction.message.serialize()).toString('base64');
  const { blockhash, slot, lastValidBlockHeight } = latest;
  return {
    transaction,
    expiresAt: new Date(submittableUntil({ at, blockHeight, lastValidBlockHeight, blockMs })).toISOString(),
    terms: { lamports: lamports.toString(), items, message, blockhash, blockhashSlot: slot, lastValidBlockHeight },
  };
}
