import { isCausedBy } from './caused-by.ts';
import type { RpcEndpoint } from './json-rpc.ts';
import { type SignatureInfoAnswer, SignaturesShape } from './shapes.ts';

/** A transaction that mentions an address. */
export interface HistoryEntry {
  readonly signature: string;
  readonly slot: number;
  /** The chain's TransactionError; null when the transaction succeeded. */
  readonly err: unknown;
  /** The transaction's memos as the node shows them (see `splitMemos`); null without one, or where it kept none. */
  readonly memo: string | null;
  /** Unix time in seconds; null where unknown. */
  readonly blockTime: number | null;
}

/** Which part of an address's history is read, newest first. */
export interface HistoryRange {
  readonly commitment?: 'confirmed' | 'finalized';
  /** Entries of this slot and older are left out, and reading stops there. */
  readonly afterSlot?: number;
  /** Most entries read; default 10,000. */
  readonly limit?: number;
  /** The endpoint must have reached this slot at the commitment, or it answers an error. */
  readonly minContextSlot?: number;
}

/** There are more entries than are read. A cut history looks like one where nothing happened, so there is none. */
export class HistoryTooLongError extends RangeError {
  constructor(message: string) {
    super(message);
    this.name = 'HistoryTooLongError';
  }
}

/** True for an error that says that at least one endpoint has more entries than are read. */
export function saysTooLong(error: unknown): boolean {
  return isCausedBy(error, (cause) => cause instanceof HistoryTooLongError);
}

const PAGE = 1_000;
const DEFAULT_LIMIT = 10_000;

/**
 * One endpoint's history of an address, each transaction once: where pages meet, one may be listed by both.
 * @throws RpcAnswerError, RpcUnavailableError; a HistoryTooLongError when there are more entries than the limit.
 */
export async function askHistory(
  endpoint: RpcEndpoint,
  address: string,
  range: HistoryRange = {},
): Promise<HistoryEntry[]> {
  const { commitment = 'finalized', afterSlot = -1, limit = DEFAULT_LIMIT, minContextSlot } = range;
  const entries = new Map<string, HistoryEntry>();
  let listed = 0;
  for (let before: string | undefined; ;) {
    const page = await endpoint.call(
      'getSignaturesForAddress',
      [address, { commitment, limit: PAGE, ...(before && { before }), ...(minContextSlot && { minContextSlot }) }],
      SignaturesShape,
    );
    const wanted = page.filter(({ slot }) => slot > afterSlot);
    for (const entry of wanted) if (!entries.has(entry.signature)) entries.set(entry.signature, readEntry(entry));
    listed += wanted.length;
    if (listed > limit)
      throw new HistoryTooLongError(`${address} has more than ${limit} transactions at ${endpoint.name}`);
    if (page.length < PAGE || wanted.length < page.length) return [...entries.values()];
    before = page.at(-1)?.signature;
  }
}

/** The newest finalized entry at one endpoint, if there is any. @throws RpcAnswerError, RpcUnavailableError. */
export async function askNewest(
  endpoint: RpcEndpoint,
  address: string,
  minContextSlot: number,
): Promise<HistoryEntry[]> {
  const options = { commitment: 'finalized', limit: 1, minContextSlot };
  return (await endpoint.call('getSignaturesForAddress', [address, options], SignaturesShape)).map(readEntry);
}

function readEntry({ signature, slot, err, memo, blockTime }: SignatureInfoAnswer): HistoryEntry {
  return { signature, slot, err: err ?? null, memo: memo ?? null, blockTime: blockTime ?? null };
}

/** One history of several endpoints' ones, newest first: what any of them has, happened. */
export function uniteHistories(histories: readonly (readonly HistoryEntry[])[]): HistoryEntry[] {
  const united = new Map(histories.flat().map((entry) => [entry.signature, entry]));
  // A stable sort keeps the order within a slot of the endpoint that was asked first.
  return [...united.values()].toSorted((a, b) => b.slot - a.slot);
}

/**
 * Splits what a node shows of a transaction's memos: `[length in bytes] text`, joined by `; ` (Agave, `extract_and_fmt_memos`).
 * The lengths decide, because a memo's text may itself contain the separator.
 */
export function splitMemos(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  const memos: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const match = /^\[(\d+)\] /.exec(bytes.toString('utf8', at, at + 16));
    if (!match) return [...memos, bytes.toString('utf8', at)];
    const start = at + match[0].length;
    const end = start + Number(match[1]);
    memos.push(bytes.toString('utf8', start, end));
    at = end + 2;
  }
  return memos;
}
