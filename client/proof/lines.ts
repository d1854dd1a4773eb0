import { isRecord } from '../http/shape.ts';
import { canonicalJson, type CanonicalValue } from './canonical-json.ts';
import { createTree, type Hash } from './merkle-tree.ts';

/** The text is no document of the format. */
export class DocumentError extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'DocumentError';
  }
}

function mustHold(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new DocumentError(otherwise);
}

const LINES_FORMAT = 'lines-1';

export interface SealedDocument {
  /** Its name: the Merkle root of its lines. */
  readonly root: Hash;
  readonly head: Readonly<Record<string, CanonicalValue>>;
}

export type DocumentRow = readonly string[];

/**
 * Longest line and longest document in characters: an endless one from the platform must not fill the memory, nor be
 * read for ever.
 */
const [LONGEST_LINE, LONGEST] = [4_000_000, 200_000_000];

/**
 * Reads a document piece by piece and passes on each row. It keeps one line, and one hash per power of two in the
 * number of lines.
 * @throws DocumentError if the text is no document of this format: another head, or rows out of order or of another
 * number.
 */
export async function readDocument(
  text: AsyncIterable<string> | Iterable<string>,
  onRow: (row: DocumentRow) => void,
): Promise<SealedDocument> {
  const tree = createTree();
  const encoder = new TextEncoder();
  let head: SealedDocument['head'] | null = null;
  let before: string | null = null;
  const take = (line: string) => {
    tree.add(encoder.encode(line));
    if (head === null) {
      head = headOf(line);
      return;
    }
    mustBeRow(line, before);
    onRow(line.split('\t'));
    before = line;
  };
  for await (const lines of linesIn(text)) lines.forEach(take);
  mustHold(head !== null, 'the document is empty');
  const rows = tree.size - 1;
  mustHold(
    head['rows'] === rows,
    `the document says that it has ${JSON.stringify(head['rows'])} rows, and has ${rows}`,
  );
  return { root: tree.root(), head };
}

function mustBeRow(line: string, before: string | null): void {
  mustHold(/^[\t\x20-\x7e]+$/.test(line), `a row of the document holds more than printable ASCII: ${line}`);
  mustHold(before === null || line > before, `the rows of the document are not in order at "${line}"`);
}

function headOf(line: string): SealedDocument['head'] {
  const value = parsed(line);
  mustHold(isHead(value), 'the head of the document is no object of text, whole numbers, truth values and null');
  mustHold(canonicalJson(value) === line, 'the head of the document is not in its canonical form');
  mustHold(
    value['format'] === LINES_FORMAT,
    `the document has the format ${JSON.stringify(value['format'])}, not ${LINES_FORMAT}`,
  );
  return value;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new DocumentError('the head of the document is not JSON');
  }
}

function isHead(value: unknown): value is Readonly<Record<string, CanonicalValue>> {
  return isRecord(value) && isCanonical(value);
}

function isCanonical(value: unknown): value is CanonicalValue {
  if (Array.isArray(value)) return value.every(isCanonical);
  if (isRecord(value)) return Object.values(value).every(isCanonical);
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isSafeInteger(value);
}

async function* linesIn(text: AsyncIterable<string> | Iterable<string>): AsyncGenerator<readonly string[]> {
  let [rest, length] = ['', 0];
  for await (const piece of text) {
    length += piece.length;
    mustHold(length <= LONGEST, `the document is longer than ${LONGEST} characters`);
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    mustHold(rest.length <= LONGEST_LINE, 'a line of the document has no end');
    yield lines;
  }
  yield [rest];
}
