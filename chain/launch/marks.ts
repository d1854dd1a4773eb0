import { VersionedTransaction } from '@solana/web3.js';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { launchPurpose, type Purpose } from '../../domain/purpose.ts';
import type { Mark } from '../rpc/marks.ts';
import type { Effect } from '../rpc/witness.ts';
import { FAILED_TRIES_LAMPORTS } from './payment.ts';

/** Lists marks beside the pool: created accounts, a funded wallet. */
export function launchMarks({
  quoteId,
  addresses: { mint, launchWallet, feeKeyMints },
  payment,
}: Pick<LaunchTerms, 'quoteId' | 'addresses'> & {
  readonly payment: Pick<LaunchTerms['payment'], 'lamports'>;
}): ReadonlyMap<Purpose, readonly Mark[]> {
  const paid = BigInt(payment.lamports) - FAILED_TRIES_LAMPORTS;
  return new Map<Purpose, readonly Mark[]>([
    // Only the mint's transaction takes more than fees.
    [launchPurpose(quoteId, 1), [{ account: launchWallet, lamports: paid }, { account: mint }]],
    [launchPurpose(quoteId, 2), [{ account: mint }]],
    [launchPurpose(quoteId, 4), [{ account: feeKeyMints[0] }]],
  ]);
}

/**
 * The launch wallet takes part in all launch transactions; strangers can send to it too. So only the transaction's own
 * message counts, and only with its marks.
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
