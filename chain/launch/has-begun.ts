import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { FAILED_TRIES_LAMPORTS } from './payment.ts';
import { launchPrefix } from '../../domain/purpose.ts';
import { type HistoryEntry, saysTooLong, splitMemos, uniteHistories } from '../rpc/history.ts';
import { MAX_COMPARED } from '../rpc/witness.ts';
import type { Rpc } from '../rpc/rpc.ts';
import { isSignedBy } from '../transactions/verify.ts';

type BegunRpc = Pick<Rpc, 'accountTestimonies' | 'quorumHistoriesOf' | 'anyTransaction'>;

/**
 * True when the chain, at `confirmed`, holds a transaction of this launch. Anybody who knows a launch wallet can send it
 * lamports and copy its memos, so only what the wallet's own key signed counts. False where a quorum of endpoints shows none, and no
 * endpoint does. True also where its payment's worth is there and too many transactions are: whoever fakes that has paid in full.
 * @throws RpcUnavailableError when no quorum answered.
 */
export async function hasBegun(rpc: BegunRpc, terms: LaunchTerms): Promise<boolean> {
  if (!(await mayHaveBegun(rpc, terms))) return false;
  const { launchWallet } = terms.addresses;
  const history = await recentHistory(rpc, terms);
  if (history === null) return true;
  for (const entry of history) {
    const landed = await rpc.anyTransaction(entry.signature);
    if (landed && isSignedBy(landed.wire, launchWallet)) return true;
  }
  return false;
}

/**
 * What any endpoint has that may be of this launch; null where there are more entries than are looked at. Nothing of this quote is older
 * than its blockhash.
 */
async function recentHistory(
  rpc: BegunRpc,
  { quoteId, addresses, payment }: LaunchTerms,
): Promise<readonly HistoryEntry[] | null> {
  const { launchWallet } = addresses;
  const afterSlot = payment.blockhashSlot - 1;
  try {
    const range = { commitment: 'confirmed', afterSlot, limit: MAX_COMPARED } as const;
    const histories = await rpc.quorumHistoriesOf(launchWallet, range);
    return uniteHistories(histories.map((entries) => entries.filter((entry) => mayBeOf(quoteId, entry))));
  } catch (error) {
    if (saysTooLong(error)) return null;
    throw error;
  }
}

/**
 * A payment stays in the launch wallet until the mint exists, but for what failed tries took of it. Looked at first, because it costs
 * one request to each endpoint however many transactions a stranger sends to the wallet.
 */
async function mayHaveBegun(rpc: BegunRpc, { addresses, payment }: LaunchTerms): Promise<boolean> {
  const { launchWallet, mint } = addresses;
  const said = await rpc.accountTestimonies([launchWallet, mint], 'confirmed');
  const isPaid = (account: { readonly lamports: number } | null) =>
    BigInt(account?.lamports ?? 0) >= BigInt(payment.lamports) - FAILED_TRIES_LAMPORTS;
  return said.anyShows(mint, (account) => account !== null) || said.anyShows(launchWallet, isPaid);
}

/** Some nodes keep no memos. */
function mayBeOf(quoteId: string, { err, memo }: HistoryEntry): boolean {
  const isOurs = (text: string) => text.startsWith(launchPrefix(quoteId));
  return err === null && (memo === null || splitMemos(memo).some(isOurs));
}
