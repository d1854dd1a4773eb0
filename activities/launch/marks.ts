import { PublicKey } from '@solana/web3.js';
import { marksBesideThePool } from '../../chain/launch/marks.ts';
import type { Mark } from '../../chain/rpc/marks.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { feeModelOf } from '../../domain/fee-models.ts';
import { launchPurpose, type Purpose } from '../../domain/purpose.ts';
import type { LaunchDeps } from './deps.ts';

/** What the chain shows of each transaction once it has taken effect: each makes an account, the payment fills the wallet. */
export function marksOf(
  { builder }: Pick<LaunchDeps, 'builder'>,
  terms: LaunchTerms,
): ReadonlyMap<Purpose, readonly Mark[]> {
  const { quoteId, addresses, quoteToken, fee } = terms;
  const { poolFeeTier } = feeModelOf(fee);
  const pool = builder.exchange.poolAddress(new PublicKey(addresses.mint), new PublicKey(quoteToken.mint), poolFeeTier);
  return new Map<Purpose, readonly Mark[]>([
    ...marksBesideThePool(terms),
    [launchPurpose(quoteId, 3), [{ account: pool.toBase58() }]],
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
