import { PublicKey } from '@solana/web3.js';
import { launchMarks } from '../../chain/launch/marks.ts';
import type { Mark } from '../../chain/rpc/marks.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { feeModelOf } from '../../domain/fee-models.ts';
import { launchPurpose, type Purpose } from '../../domain/purpose.ts';
import type { LaunchDeps } from './deps.ts';

export function marksOf(
  { builder }: Pick<LaunchDeps, 'builder'>,
  terms: LaunchTerms,
): ReadonlyMap<Purpose, readonly Mark[]> {
  const { quoteId, addresses, quoteToken, fee } = terms;
  const { poolFeeTier } = feeModelOf(fee);
  const pool = builder.exchange.poolAddress(new PublicKey(addresses.mint), new PublicKey(quoteToken.mint), poolFeeTier);
  return new Map<Purpose, readonly Mark[]>([
    ...launchMarks(terms),
    [launchPurpose(quoteId, 3), [{ account: pool.toBase58() }]],
  ]);
}

interface ShownPurposes {
  readonly purposes: readonly Purpose[];
  readonly slot: number;
}

/**
 * Returns the purposes whose effect any endpoint shows at `confirmed`, whichever wallet sent them, by one read of four
 * accounts. Only a quorum can deny an effect. `slot` is a quorum's.
 */
export async function shownPurposes(
  deps: Pick<LaunchDeps, 'builder' | 'rpc'>,
  terms: LaunchTerms,
): Promise<ShownPurposes> {
  const marks = marksOf(deps, terms);
  const said = await deps.rpc.accountsByEndpoint(
    [...marks.values()].flat().map(({ account }) => account),
    'confirmed',
  );
  const shows = ({ account, lamports }: Mark) =>
    said.anyShows(account, (found) => {
      if (!found) return false;
      return lamports === undefined ? found.data.length > 0 : BigInt(found.lamports) >= lamports;
    });
  const purposes = [...marks].filter(([, alternatives]) => alternatives.some(shows)).map(([purpose]) => purpose);
  return { purposes, slot: said.slot };
}
