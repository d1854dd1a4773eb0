import type { Answer } from '../http/api.ts';
import { askPatiently } from '../progress/follow.ts';
import { loadKept } from '../progress/kept.ts';
import { newCursors } from '../progress/new-cursors.ts';
import type { Store } from '../progress/store.ts';
import type { Message } from '../solana/message.ts';
import { signAllIssued, type SignedTransaction } from '../solana/sign-issued.ts';
import { checkedMessage, type ClaimOptions, type ClaimProgress, endBefore, goOn, submitSigned } from './claim.ts';
import type { ClaimQuote, Fees } from './claim-context.ts';
import type { ClaimOutcome } from './claim-outcome.ts';
import { SIGNED_CLAIM } from './signed-claim.ts';

export type ClaimPage = Answer<'POST /wallets/{wallet}/fees/claim/prepare'>;

export interface ClaimManyOptions extends Omit<ClaimOptions, 'mint' | 'quoteMint' | 'store' | 'onProgress'> {
  /** Tokens that are prepared and signed at once. Default: 10, the most. */
  readonly limit?: number;
  /** One store per token, as `claim` takes it. */
  readonly storeOf: (mint: string) => Store;
  /** `remaining`: positions behind this page; `deferred`: those that could not be prepared now. */
  readonly onPage?: (page: ClaimPage) => void;
  readonly onProgress?: (mint: string, progress: ClaimProgress) => void | Promise<void>;
  /** The claim of one token is over, or failed. */
  readonly onEnd?: (mint: string, end: ClaimEnd) => void;
}

export type ClaimEnd =
  | { readonly outcome: ClaimOutcome; readonly error?: undefined }
  | { readonly error: unknown; readonly outcome?: undefined };

/** A claim that was checked and approved. */
interface ToSign {
  readonly options: ClaimOptions & { readonly store: Store };
  readonly quote: ClaimQuote;
  readonly message: Message;
}

interface Work {
  readonly mint: string;
  readonly run: () => Promise<ClaimOutcome>;
}

/** A claim whose fees were read. */
interface Known {
  readonly quote: ClaimQuote;
  readonly fees: Fees;
}

/** One of the four. */
interface Checked {
  /** To check and approve. */
  readonly known?: Known;
  readonly toSign?: ToSign;
  /** Was signed before. */
  readonly kept?: Work;
  readonly end?: ClaimOutcome;
}

/** The most that the platform prepares at once. */
const MOST_AT_ONCE = 10;

/** A claim can be submitted for 90 s: the rest is for the wallet and its user, ms. */
const FEES_PATIENCE_MS = 30_000;

/**
 * Claims all that a wallet can claim, some tokens at once: prepared by one request, signed by one request of the wallet
 * where it can, each checked, kept and submitted as `claim` does. A token that fails does not end the others. It ends
 * early once `approve` declines, or the wallet signs nothing of a page. Rejects if the platform repeats a page.
 */
export async function claimMany(options: ClaimManyOptions): Promise<void> {
  const onlyNew = newCursors('POST /wallets/{wallet}/fees/claim/prepare');
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await prepare(options, cursor);
    options.onPage?.(page);
    if (!(await claimPage(options, page))) return;
    cursor = onlyNew(page.nextCursor);
  }
}

function prepare(options: ClaimManyOptions, cursor: string | undefined): Promise<ClaimPage> {
  const { api, signer, limit } = options;
  const body = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) };
  return askPatiently(
    () => api.ask('POST /wallets/{wallet}/fees/claim/prepare', { path: { wallet: signer.address }, body }),
    options,
  );
}

/** False: prepare no other page. */
async function claimPage(options: ClaimManyOptions, { claims }: ClaimPage): Promise<boolean> {
  const quotes = firstOfEach(claims).slice(0, Math.min(options.limit ?? MOST_AT_ONCE, MOST_AT_ONCE));
  // At the same time: a page is valid for a short time.
  const begun = await Promise.all(quotes.map((quote) => reported(options, quote.mint, () => begin(options, quote))));
  const found: Checked[] = [];
  // One after the other: a caller may ask a user.
  for (const one of begun) {
    const { known } = one;
    found.push(known ? await reported(options, known.quote.mint, () => approved(options, known)) : one);
  }
  const signed = await signAll(
    options,
    found.flatMap(({ toSign }) => toSign ?? []),
  );
  const running = [...found.flatMap(({ kept }) => kept ?? []), ...(signed ?? [])];
  // At the same time: what is signed can be submitted for a short time.
  const ended = await Promise.allSettled(running.map((work) => runReported(options, work)));
  // Of `onEnd`, once each claim was followed to its end.
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  return signed !== null && !found.some(({ end }) => end?.status === 'declined');
}

/** One claim of each token: a second one would share its store. */
function firstOfEach(claims: readonly ClaimQuote[]): readonly ClaimQuote[] {
  return claims.filter(({ mint }, place) => claims.findIndex((other) => other.mint === mint) === place);
}

/** Calls `onEnd` if that is the end of the token's claim. */
async function reported({ onEnd }: ClaimManyOptions, mint: string, work: () => Promise<Checked>): Promise<Checked> {
  const found = await work().catch((error: unknown) => ({ error }));
  if ('error' in found) {
    onEnd?.(mint, { error: found.error });
    return {};
  }
  if (found.end) onEnd?.(mint, { outcome: found.end });
  return found;
}

async function begin(many: ClaimManyOptions, quote: ClaimQuote): Promise<Checked> {
  const { mint } = quote;
  const options = optionsOf(many, mint);
  const { store, signer } = options;
  const kept = await loadKept(store, SIGNED_CLAIM);
  if (kept) return { kept: { mint, run: () => goOn(options, store, kept) } };
  const fees = await feesInTime(options);
  const end = endBefore(fees, signer.address);
  return end ? { end } : { known: { quote, fees } };
}

async function feesInTime(options: ClaimOptions): Promise<Fees> {
  const { api, mint, patienceMs = FEES_PATIENCE_MS } = options;
  const late = AbortSignal.timeout(FEES_PATIENCE_MS);
  const patience = { ...options, patienceMs: Math.min(patienceMs, FEES_PATIENCE_MS) };
  try {
    return await askPatiently(() => api.ask('GET /tokens/{mint}/fees', { path: { mint }, signal: late }), patience);
  } catch (cause) {
    if (!late.aborted) throw cause;
    throw new Error(`the fees of ${mint} were not answered within ${FEES_PATIENCE_MS / 1_000} s`, { cause });
  }
}

async function approved(many: ClaimManyOptions, { quote, fees }: Known): Promise<Checked> {
  const options = optionsOf(many, quote.mint);
  const { onProgress, approve } = options;
  const message = checkedMessage(options, fees, quote);
  await onProgress?.({ step: 'prepared', quote });
  if (approve && !(await approve(quote))) return { end: { status: 'declined', quote } };
  return { toSign: { options, quote, message } };
}

function optionsOf(many: ClaimManyOptions, mint: string): ToSign['options'] {
  return {
    ...many,
    mint,
    store: many.storeOf(mint),
    onProgress: (progress: ClaimProgress) => many.onProgress?.(mint, progress),
  };
}

/** Null if the wallet signed none. */
async function signAll(many: ClaimManyOptions, toSign: readonly ToSign[]): Promise<Work[] | null> {
  if (toSign.length === 0) return [];
  const messages = toSign.map(({ message }) => message);
  try {
    const signed = await signAllIssued(many.signer, messages, many.maxNetworkFeeLamports);
    return signed.map((checkSigned, place) => workOf(toSign[place], checkSigned)).filter((work) => work !== null);
  } catch (error) {
    for (const { quote } of toSign) many.onEnd?.(quote.mint, { error });
    return null;
  }
}

function workOf(asked: ToSign | undefined, checkSigned: () => SignedTransaction): Work | null {
  if (!asked) return null;
  const { options, quote } = asked;
  return { mint: quote.mint, run: async () => submitSigned(options, quote, checkSigned().wire) };
}

async function runReported({ onEnd }: ClaimManyOptions, { mint, run }: Work): Promise<void> {
  const end: ClaimEnd = await run().then(
    (outcome) => ({ outcome }),
    (error: unknown) => ({ error }),
  );
  onEnd?.(mint, end);
}
