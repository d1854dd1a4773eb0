import { isCausedBy } from './caused-by.ts';
import type { RpcEndpoint } from './json-rpc.ts';
import { type SignatureInfoAnswer, SignaturesShape } from './shapes.ts';

export interface HistoryEntry {
  readonly signature: string;
  readonly slot: number;
  readonly err: unknown;
  /** As the node returns them (see `splitMemos`); null if it stored none. */
  readonly memo: string | null;
  /** Unix seconds. */
  readonly blockTime: number | null;
}

/** Limits of a history, which is read newest first. */
export interface HistoryRange {
  readonly commitment?: 'confirmed' | 'finalized';
  /** Entries of this slot and older are omitted. */
  readonly afterSlot?: number;
  /** Default 10,000. */
  readonly limit?: number;
  /** An endpoint behind this slot returns an error. */
  readonly minContextSlot?: number;
}

/** A truncated history would look as if nothing else happened, so none is returned. */
export class HistoryTooLongError extends RangeError {
  constructor(message: string) {
    super(message);
    this.name = 'HistoryTooLongError';
  }
}

export function saysTooLong(error: unknown): boolean {
  return isCausedBy(error, (cause) => cause instanceof HistoryTooLongError);
}

const PAGE = 1_000;
const DEFAULT_LIMIT = 10_000;

/**
 * Reads one endpoint's history, without duplicates.
 *
 * @throws HistoryTooLongError, RpcAnswerError, RpcUnavailableError
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

/** @throws RpcAnswerError, RpcUnavailableError */
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

/** Unites histories, newest first: an entry at any endpoint happened. */
export function uniteHistories(histories: readonly (readonly HistoryEntry[])[]): HistoryEntry[] {
  const united = new Map(histories.flat().map((entry) => [entry.signature, entry]));
  // Stable: keeps the first endpoint's order within a slot.
  return [...united.values()].toSorted((a, b) => b.slot - a.slot);
}

/**
 * Splits `[length in bytes] text`, joined by `; ` (Agave, `extract_and_fmt_memos`), by the lengths: a memo may contain
 * the separator.
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
