import { ContradictionError } from '../../db/errors.ts';
import type { NewAirdrop } from '../../db/airdrop/airdrops.ts';
import { planAirdrop } from '../../domain/airdrop/airdrop.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import type { LaunchDeps } from '../launch/deps.ts';
import { lostRecipients, readRecipients } from './recipients.ts';

/** Throws a ContradictionError when the recipients are missing: an operator must restore them. */
export async function airdropOf(
  deps: Pick<LaunchDeps, 'db' | 'store'>,
  { quoteId, addresses, airdrop }: LaunchTerms,
): Promise<NewAirdrop | null> {
  if (!airdrop) return null;
  const sealed = await readRecipients(deps.db, airdrop);
  if (!sealed) throw new ContradictionError(`airdrop/${quoteId}`, lostRecipients(airdrop));
  const shareRaw = BigInt(airdrop.shareRaw);
  return {
    quoteId,
    mint: addresses.mint,
    shareRaw,
    recipientsHash: airdrop.recipientsHash,
    recipientsUri: deps.store.uriOf(sealed.document, 'application/json'),
    shares: planAirdrop(shareRaw, sealed.set.recipients),
  };
}
