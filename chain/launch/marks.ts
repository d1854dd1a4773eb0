import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { launchPurpose, type Purpose } from '../../domain/purpose.ts';
import type { Mark } from '../rpc/marks.ts';
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
