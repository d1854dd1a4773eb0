import { createLineTree, type DocumentRow, type LineTree } from './lines.ts';

export interface ReadLines {
  /** Hex. */
  readonly root: string;
  /** Parsed JSON of the first line. */
  readonly head: unknown;
  readonly rows: readonly DocumentRow[];
}

/**
 * Reads a document of the format `lines-1` piece by piece.
 * @throws SyntaxError if the first line is not JSON
 */
export async function readLines(text: AsyncIterable<string>): Promise<ReadLines> {
  const [tree, rows]: [LineTree, DocumentRow[]] = [createLineTree(), []];
  let head: unknown = null;
  for await (const line of linesIn(text)) {
    if (tree.size === 0) head = JSON.parse(line);
    else rows.push(line.split('\t'));
    tree.add(line);
  }
  return { root: hexOf(tree.root()), head, rows };
}

async function* linesIn(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
