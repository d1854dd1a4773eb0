import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { FAILED_TRIES_LAMPORTS } from './payment.ts';
import { launchPrefix } from '../../domain/purpose.ts';
import { type HistoryEntry, saysTooLong, splitMemos, uniteHistories } from '../rpc/history.ts';
import { MAX_COMPARED } from '../rpc/witness.ts';
import { RpcUnavailableError } from '../rpc/json-rpc.ts';
import type { Rpc } from '../rpc/rpc.ts';
import { isSignedBy } from '../transactions/verify.ts';

type BegunRpc = Pick<Rpc, 'accountTestimonies' | 'quorumHistoriesOf' | 'anyTransaction'>;

/**
 * True when the chain, at `confirmed`, holds a transaction of this launch. Anybody who knows a launch wallet can send it
 * lamports and copy its memos, so only what the wallet's own key signed counts. False where a quorum of endpoints shows none, and no
 * endpoint does. True also where a quorum sees its payment's worth or its mint, and too many transactions to tell whose they are:
 * whoever fakes that has paid in full.
 * @throws RpcUnavailableError when no quorum answered, or one endpoint alone shows what cannot be looked through.
 */
export async function hasBegun(rpc: BegunRpc, terms: LaunchTerms): Promise<boolean> {
  const { launchWallet } = terms.addresses;
  const signs = await signsOf(rpc, terms);
  if (!signs.anyShows) return false;
  const history = await recentHistory(rpc, terms);
  if (history === null) {
    if (signs.isAgreed) return true;
    throw new RpcUnavailableError(
      `no quorum of RPC endpoints shows what one shows of the launch wallet ${launchWallet}`,
    );
  }
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
 * Whether accounts show that the launch may have begun. A payment stays in the launch wallet until the mint exists, but for what failed
 * tries took of it. Looked at first, because it costs one request to each endpoint however many transactions a stranger sends to the
 * wallet; lamports at the mint's address are a stranger's too.
 */
async function signsOf(rpc: BegunRpc, { addresses, payment }: LaunchTerms) {
  const { launchWallet, mint } = addresses;
  const said = await rpc.accountTestimonies([launchWallet, mint], 'confirmed');
  const isMade = (account: Account | null) => (account?.data.length ?? 0) > 0;
  const isPaid = (account: Account | null) =>
    BigInt(account?.lamports ?? 0) >= BigInt(payment.lamports) - FAILED_TRIES_LAMPORTS;
  const isAgreed = (address: string, isSo: (account: Account | null) => boolean) =>
    said.agreedReason(address, (account) => isSo(account) || null) !== null;
  return {
    anyShows: said.anyShows(mint, isMade) || said.anyShows(launchWallet, isPaid),
    isAgreed: isAgreed(mint, isMade) || isAgreed(launchWallet, isPaid),
  };
}

type Account = { readonly lamports: number; readonly data: Uint8Array };

/** Some nodes keep no memos. */
function mayBeOf(quoteId: string, { err, memo }: HistoryEntry): boolean {
  const isOurs = (text: string) => text.startsWith(launchPrefix(quoteId));
  return err === null && (memo === null || splitMemos(memo).some(isOurs));
}
