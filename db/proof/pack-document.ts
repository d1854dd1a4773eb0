import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { PackedDocument } from './documents.ts';
import { createLineTree } from '../../domain/proof/lines.ts';

const gzipped = promisify(gzip);

/** Minimum characters of a piece. It bounds the uncompressed text in memory, here and where it is served. */
const PIECE_CHARACTERS = 1_000_000;

const AT_ONCE_MS = 20;

/** Hashes and compresses a document line by line. It holds one piece of text and the compressed pieces. */
export async function packDocument(lines: Iterable<string>): Promise<PackedDocument> {
  const tree = createLineTree();
  const parts: Uint8Array[] = [];
  let [piece, byteCount, since] = ['', 0n, performance.now()];
  const flush = async () => {
    const bytes = Buffer.from(piece, 'utf8');
    byteCount += BigInt(bytes.length);
    parts.push(await gzipped(bytes));
    piece = '';
  };
  for (const line of lines) {
    piece += tree.size === 0 ? line : `\n${line}`;
    tree.add(line);
    if (piece.length >= PIECE_CHARACTERS) await flush();
    if (performance.now() - since < AT_ONCE_MS) continue;
    // A worker without a heartbeat for ten seconds is given up.
    await setImmediate();
    since = performance.now();
  }
  if (piece.length > 0) await flush();
  return { root: Buffer.from(tree.root()).toString('hex'), rowCount: tree.size - 1, byteCount, parts };
}

const gunzipped = promisify(gunzip);

export async function* unpackDocument(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const part of parts) yield decoder.decode(await gunzipped(part), { stream: true });
  yield decoder.decode();
}
