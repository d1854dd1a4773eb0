import { canonicalJson, type CanonicalValue } from '../../client/proof/canonical-json.ts';
import { createTree, type Hash } from '../../client/proof/merkle-tree.ts';

/** Format name in every document's head. */
export const LINES_FORMAT = 'lines-1';

/** A document's metadata. `format` and the number of rows are added, so the number is sealed too. */
export type DocumentHead = Readonly<Record<string, CanonicalValue>>;

/** Fields in order. Printable ASCII, so that string order equals byte order. */
export type DocumentRow = readonly string[];

/** Rows in ascending order, generated on demand, and their number. */
export interface DocumentRows {
  readonly count: number;
  readonly rows: Iterable<DocumentRow>;
}

const FIELD = /^[\x20-\x7e]*$/;

/**
 * The head as canonical JSON, then each row with its fields separated by tabs. The document joins these lines with line
 * feeds, in UTF-8, without a final one.
 * @throws RangeError when rows are not ascending, or a field contains a forbidden character
 */
export function* documentLines(head: DocumentHead, { count, rows }: DocumentRows): Generator<string> {
  yield canonicalJson({ ...head, format: LINES_FORMAT, rows: count });
  let before: string | null = null;
  let seen = 0;
  for (const row of rows) {
    const line = lineOf(row);
    if (before !== null && line <= before) throw new RangeError(`the row "${line}" does not come after "${before}"`);
    yield line;
    before = line;
    seen += 1;
  }
  if (seen !== count) throw new RangeError(`the document was to have ${count} rows, and has ${seen}`);
}

function lineOf(row: DocumentRow): string {
  const bad = row.find((field) => !FIELD.test(field));
  if (row.length === 0 || bad !== undefined) throw new RangeError(`a row cannot hold ${JSON.stringify(bad ?? '')}`);
  return row.join('\t');
}

/** The growing Merkle tree of a document's lines. */
export interface LineTree {
  add(line: string): void;
  /** Lines so far. */
  readonly size: number;
  root(): Hash;
}

const encoder = new TextEncoder();

export function createLineTree(): LineTree {
  const tree = createTree();
  return {
    get size() {
      return tree.size;
    },
    add: (line) => tree.add(encoder.encode(line)),
    root: () => tree.root(),
  };
}

export function rootOfLines(lines: Iterable<string>): Hash {
  const tree = createLineTree();
  for (const line of lines) tree.add(line);
  return tree.root();
}
