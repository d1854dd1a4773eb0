import { VersionedTransaction } from '@solana/web3.js';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { launchPurpose, type Purpose } from '../../domain/purpose.ts';
import type { Mark } from '../rpc/marks.ts';
import type { Effect } from '../rpc/witness.ts';
import { FAILED_TRIES_LAMPORTS } from './payment.ts';

/** What the chain shows of each transaction of a launch but the pool's once it has taken effect: accounts that it makes, a wallet that is filled. */
export function marksBesideThePool({
  quoteId,
  addresses: { mint, launchWallet, feeKeyMints },
  payment,
}: Pick<LaunchTerms, 'quoteId' | 'addresses' | 'payment'>): ReadonlyMap<Purpose, readonly Mark[]> {
  const paid = BigInt(payment.lamports) - FAILED_TRIES_LAMPORTS;
  return new Map<Purpose, readonly Mark[]>([
    // Nothing but the mint's own transaction takes more than fees out of the wallet.
    [launchPurpose(quoteId, 1), [{ account: launchWallet, lamports: paid }, { account: mint }]],
    [launchPurpose(quoteId, 2), [{ account: mint }]],
    [launchPurpose(quoteId, 4), [{ account: feeKeyMints[0] }]],
  ]);
}

/**
 * What one of a launch's transactions leaves, whoever signed it a second time. The launch wallet takes part in all of them, so its
 * history shows them whatever their signature. Anybody may send something to it: only the transaction's own message counts, and only
 * where its mark is there, if it has one.
 */
export function effectOf(
  { addresses }: Pick<LaunchTerms, 'addresses'>,
  { wire, purpose }: { readonly wire: Uint8Array; readonly purpose: Purpose },
  marks: ReadonlyMap<Purpose, readonly Mark[]>,
): Effect {
  const message = VersionedTransaction.deserialize(wire).message.serialize();
  const own = marks.get(purpose);
  return { account: addresses.launchWallet, message, ...(own && { marks: own }) };
}
