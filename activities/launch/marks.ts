import { PublicKey } from '@solana/web3.js';
import { FAILED_TRIES_LAMPORTS } from '../../chain/launch/payment.ts';
import type { Mark } from '../../chain/rpc/marks.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { feeModelOf } from '../../domain/fee-models.ts';
import { launchPurpose, type Purpose } from '../../domain/purpose.ts';
import type { LaunchDeps } from './deps.ts';

/** What the chain shows of each transaction once it has taken effect: each makes an account, the payment fills the wallet. */
export function marksOf(
  { builder }: Pick<LaunchDeps, 'builder'>,
  { quoteId, addresses, quoteToken, fee, payment }: LaunchTerms,
): ReadonlyMap<Purpose, readonly Mark[]> {
  const { mint, launchWallet, feeKeyMints } = addresses;
  const { poolFeeTier } = feeModelOf(fee);
  const pool = builder.exchange.poolAddress(new PublicKey(mint), new PublicKey(quoteToken.mint), poolFeeTier);
  const paid = BigInt(payment.lamports) - FAILED_TRIES_LAMPORTS;
  return new Map<Purpose, readonly Mark[]>([
    // Nothing but the mint's own transaction takes more than fees out of the wallet.
    [launchPurpose(quoteId, 1), [{ account: launchWallet, lamports: paid }, { account: mint }]],
    [launchPurpose(quoteId, 2), [{ account: mint }]],
    [launchPurpose(quoteId, 3), [{ account: pool.toBase58() }]],
    [launchPurpose(quoteId, 4), [{ account: feeKeyMints[0] }]],
  ]);
}

/**
 * The transactions of a launch whose effect any endpoint shows at `confirmed`: one read of four accounts, whoever sends what. That it
 * shows nothing is a quorum's word.
 */
export async function shownPurposes(deps: Pick<LaunchDeps, 'builder' | 'rpc'>, terms: LaunchTerms): Promise<Purpose[]> {
  const marks = marksOf(deps, terms);
  const said = await deps.rpc.accountTestimonies(
    [...marks.values()].flat().map(({ account }) => account),
    'confirmed',
  );
  const shows = ({ account, lamports }: Mark) =>
    said.anyShows(account, (found) => {
      if (!found) return false;
      return lamports === undefined ? found.data.length > 0 : BigInt(found.lamports) >= lamports;
    });
  return [...marks].filter(([, alternatives]) => alternatives.some(shows)).map(([purpose]) => purpose);
}
