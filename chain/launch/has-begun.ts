import { PublicKey } from '@solana/web3.js';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { launchPrefix } from '../../domain/purpose.ts';
import { type HistoryEntry, saysTooLong, splitMemos } from '../rpc/history.ts';
import { MAX_COMPARED } from '../rpc/witness.ts';
import type { Rpc } from '../rpc/rpc.ts';
import { isSignedBy } from '../transactions/verify.ts';

type BegunRpc = Pick<Rpc, 'connection' | 'historyOf' | 'getTransaction'>;

/**
 * True when the chain, at `confirmed`, holds a transaction of this launch. Anybody who knows a launch wallet can send it
 * lamports and copy its memos, so only what the wallet's own key signed counts. False proves nothing: an endpoint may lag. True
 * also where its payment's worth is there and too many transactions are: whoever fakes that has paid in full.
 */
export async function hasBegun(rpc: BegunRpc, terms: LaunchTerms): Promise<boolean> {
  if (!(await mayHaveBegun(rpc, terms))) return false;
  const { launchWallet } = terms.addresses;
  const history = await recentHistory(rpc, terms);
  if (history === null) return true;
  for (const entry of history) {
    if (!mayBeOf(terms.quoteId, entry)) continue;
    const landed = await rpc.getTransaction(entry.signature, 'confirmed');
    if (landed && isSignedBy(landed.wire, launchWallet)) return true;
  }
  return false;
}

/** Nothing of this quote is older than its blockhash. Null where there are more entries than are looked at. */
async function recentHistory(
  rpc: BegunRpc,
  { addresses, payment }: LaunchTerms,
): Promise<readonly HistoryEntry[] | null> {
  const afterSlot = payment.blockhashSlot - 1;
  try {
    return await rpc.historyOf(addresses.launchWallet, { commitment: 'confirmed', afterSlot, limit: MAX_COMPARED });
  } catch (error) {
    if (saysTooLong(error)) return null;
    throw error;
  }
}

/**
 * A payment stays in the launch wallet until the mint exists. Looked at first, because it costs one request however many
 * transactions a stranger sends to the wallet.
 */
async function mayHaveBegun({ connection }: BegunRpc, { addresses, payment }: LaunchTerms): Promise<boolean> {
  const accounts = [addresses.launchWallet, addresses.mint].map((address) => new PublicKey(address));
  const [wallet, mint] = await connection.getMultipleAccountsInfo(accounts, 'confirmed');
  return Boolean(mint) || BigInt(wallet?.lamports ?? 0) >= BigInt(payment.lamports);
}

/** Some nodes keep no memos. */
function mayBeOf(quoteId: string, { err, memo }: HistoryEntry): boolean {
  const isOurs = (text: string) => text.startsWith(launchPrefix(quoteId));
  return err === null && (memo === null || splitMemos(memo).some(isOurs));
}
