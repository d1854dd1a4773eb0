import { DocumentError, type DocumentRow, readDocument, type SealedDocument } from '../../proof/lines.ts';
import { isRecord } from '../../http/shape.ts';
import { Difference } from '../check.ts';
import { addressIn, type Fields, priceIn, recordsIn, rootIn, rootOf, textIn, wholeIn } from '../head-fields.ts';

/** The text of a log, as the platform or a file shows it. */
export interface ShownLog {
  readonly text: AsyncIterable<string> | Iterable<string>;
  readonly source: string;
}

/** A price as it was when a log was written. */
export interface LoggedPrice {
  readonly mint: string;
  /** For a whole token: a decimal without needless digits. */
  readonly usd: string;
  readonly source: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A log of receipts, of the list of wallets and of prices. */
export interface LogDocument {
  /** Hex. */
  readonly root: string;
  readonly genesisHash: string;
  readonly number: number;
  /** Root of the log before it; null for the first. */
  readonly previous: string | null;
  /** Finalized when it was written. */
  readonly slot: number;
  /** The address that its seal must name. */
  readonly receiptKey: string;
  readonly wallets: { readonly count: number; readonly root: string };
  /** One for a mint, in the order of the mints. */
  readonly prices: readonly LoggedPrice[];
  /** sha256 of each receipt, hex. */
  readonly digests: ReadonlySet<string>;
}

/** More than any log has: an endless one must not fill the memory. */
const MOST_ROWS = 100_000;

/** @throws Difference where it is no such document */
export async function readLogDocument(
  text: AsyncIterable<string> | Iterable<string>,
  source: string,
): Promise<LogDocument> {
  const digests = new Set<string>();
  try {
    const take = (row: DocumentRow) => {
      if (digests.size === MOST_ROWS) throw new DocumentError(`it has more than ${MOST_ROWS} rows`);
      digests.add(digestOf(row));
    };
    return documentOf(await readDocument(text, take), digests);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const expected = { value: 'the document of a log', from: 'docs/verify.md' };
    throw new Difference('the log cannot be read', expected, { value: error.message, from: source });
  }
}

function digestOf(row: DocumentRow): string {
  const [digest = '', ...more] = row;
  if (more.length > 0 || !/^[0-9a-f]{64}$/.test(digest))
    throw new DocumentError(`a row is no sha256: ${row.join(' ')}`);
  return digest;
}

function documentOf({ root, head }: SealedDocument, digests: ReadonlySet<string>): LogDocument {
  if (head['kind'] !== 'log') throw new DocumentError(`it is of the kind ${JSON.stringify(head['kind'])}`);
  const { wallets } = head;
  if (!isRecord(wallets)) throw new DocumentError('wallets is no object');
  return {
    root: rootOf(root),
    genesisHash: textIn(head, 'genesisHash'),
    number: wholeIn(head, 'number'),
    previous: head['previous'] === null ? null : rootIn(head, 'previous'),
    slot: wholeIn(head, 'slot'),
    receiptKey: addressIn(head, 'receiptKey'),
    wallets: { count: wholeIn(wallets, 'count'), root: rootIn(wallets, 'root') },
    // Logs of release 0.1.0 have none.
    prices: head['prices'] === undefined ? [] : pricesOf(recordsIn(head, 'prices')),
    digests,
  };
}

const [PRICE, TIME] = [/^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/];

function pricesOf(list: readonly Fields[]): LoggedPrice[] {
  const prices = list.map(priceOf);
  prices.forEach(({ mint }, index) => {
    const before = prices[index - 1];
    if (before && before.mint >= mint) throw new DocumentError(`prices has ${mint} behind ${before.mint}`);
  });
  return prices;
}

function priceOf(fields: Fields): LoggedPrice {
  const [mint, usd, at] = [addressIn(fields, 'mint'), textIn(fields, 'usd'), textIn(fields, 'at')];
  priceIn(fields, 'usd');
  if (!PRICE.test(usd)) throw new DocumentError(`the price of ${mint} is "${usd}", and not in its one form`);
  if (!TIME.test(at)) throw new DocumentError(`the price of ${mint} is of "${at}", which is no time`);
  return { mint, usd, source: textIn(fields, 'source'), at };
}
