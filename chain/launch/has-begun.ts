import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { launchPrefix } from '../../domain/purpose.ts';
import { type Span, UnknownError } from '../rpc/absence.ts';
import { type HistoryEntry, saysTooLong, splitMemos } from '../rpc/history.ts';
import type { Rpc } from '../rpc/rpc.ts';
import { MAX_COMPARED } from '../rpc/witness.ts';
import { isSignedBy } from '../transactions/verify.ts';
import { FAILED_TRIES_LAMPORTS } from './payment.ts';

export type BegunRpc = Pick<Rpc, 'accountsByEndpoint' | 'agreedHead' | 'wholeHistoryOf' | 'anyLandedSince'>;

/** The part of a launch's terms that finds it on the chain. */
export interface BegunTerms extends Pick<LaunchTerms, 'quoteId' | 'expiresAt'> {
  readonly addresses: Pick<LaunchTerms['addresses'], 'launchWallet' | 'mint'>;
  readonly payment: Pick<LaunchTerms['payment'], 'lamports' | 'blockhashSlot' | 'lastValidBlockHeight'>;
}

/** Time after which a payment has landed or expired; endpoints then behind its last block lag, or the chain halts. */
export const SETTLED_AFTER_MS = 60_000;

/**
 * True if the chain, at `confirmed`, holds a transaction of this launch signed by its key: strangers can send lamports
 * and copy memos. A mint that a quorum shows counts too, unless the whole history shows that no launch transaction
 * created it. False is proven: payment and mint are absent, or the whole history holds nothing. With a history too long
 * to read, a payment that a quorum shows counts: faking it costs its full amount. Of a quote that is long over, false
 * is proven past its last block.
 *
 * @throws UnknownError if neither can be proven; RpcUnavailableError without a quorum
 */
export async function hasBegun(rpc: BegunRpc, terms: BegunTerms, now: Date): Promise<boolean> {
  const leastSlot = await slotToReach(rpc, terms, now);
  const signs = await signsOf(rpc, terms);
  if (!signs.anyShows) return neverShown(signs.slot, leastSlot);
  const span = { sinceSlot: terms.payment.blockhashSlot, asOfSlot: Math.max(signs.slot, leastSlot) };
  try {
    return await hasSigned(rpc, terms, span);
  } catch (error) {
    if (!(error instanceof UnknownError)) throw error;
    if (signs.isMintAgreed || (signs.isPaymentAgreed && saysTooLong(error))) return true;
    throw error;
  }
}

/**
 * Returns the slot that endpoints must have reached to deny the launch: the blockhash's; once the quote is long over,
 * the last one for the payment.
 */
async function slotToReach(rpc: BegunRpc, { payment, expiresAt }: BegunTerms, now: Date): Promise<number> {
  const { blockhashSlot, lastValidBlockHeight } = payment;
  if (now.getTime() <= Date.parse(expiresAt) + SETTLED_AFTER_MS) return blockhashSlot;
  const { slot, blockHeight } = await rpc.agreedHead('confirmed');
  if (blockHeight <= lastValidBlockHeight) {
    const reason = `RPC endpoints are at block ${blockHeight}, the payment could land until ${lastValidBlockHeight}`;
    throw new UnknownError(`${reason}, and its quote ended at ${expiresAt}`, false);
  }
  // Each block takes a slot or more, so the last valid block is in this slot or an earlier one.
  return Math.max(blockhashSlot, slot - (blockHeight - lastValidBlockHeight));
}

/** @throws UnknownError */
function neverShown(slot: number, leastSlot: number): false {
  if (slot >= leastSlot) return false;
  throw new UnknownError(`RPC endpoints are at slot ${slot}, the launch could begin until slot ${leastSlot}`, false);
}

async function hasSigned(rpc: BegunRpc, { quoteId, addresses }: BegunTerms, span: Span): Promise<boolean> {
  const { launchWallet } = addresses;
  const isWanted = (entry: HistoryEntry) => mayBeOf(quoteId, entry);
  const range = { ...span, commitment: 'confirmed', limit: MAX_COMPARED, isWanted } as const;
  for (const { signature } of await rpc.wholeHistoryOf(launchWallet, range)) {
    const landed = await rpc.anyLandedSince(signature, span);
    if (landed && isSignedBy(landed.wire, launchWallet)) return true;
  }
  return false;
}

/**
 * The payment stays in the wallet until the mint exists, minus fees of failed tries. First: one request per endpoint,
 * whatever strangers send. Lamports at the mint's address may be a stranger's.
 */
async function signsOf(rpc: BegunRpc, { addresses, payment }: BegunTerms) {
  const { launchWallet, mint } = addresses;
  const said = await rpc.accountsByEndpoint([launchWallet, mint], 'confirmed');
  const isMade = (account: Account | null) => (account?.data.length ?? 0) > 0;
  const isPaid = (account: Account | null) =>
    BigInt(account?.lamports ?? 0) >= BigInt(payment.lamports) - FAILED_TRIES_LAMPORTS;
  const isAgreed = (address: string, isSo: (account: Account | null) => boolean) =>
    said.agreedReason(address, (account) => isSo(account) || null) !== null;
  return {
    slot: said.slot,
    anyShows: said.anyShows(mint, isMade) || said.anyShows(launchWallet, isPaid),
    isMintAgreed: isAgreed(mint, isMade),
    isPaymentAgreed: isAgreed(launchWallet, isPaid),
  };
}

type Account = { readonly lamports: number; readonly data: Uint8Array };

/** True if the entry may be of this quote; some nodes store no memos. */
function mayBeOf(quoteId: string, { err, memo }: HistoryEntry): boolean {
  const isOurs = (text: string) => text.startsWith(launchPrefix(quoteId));
  return err === null && (memo === null || splitMemos(memo).some(isOurs));
}
