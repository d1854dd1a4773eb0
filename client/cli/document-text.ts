import { createReadStream } from 'node:fs';
import { fetchFollowing } from '../http/bounded-fetch.ts';
import { NotProvable } from '../verify/check.ts';
import { encryptedUrl } from './common.ts';

/** Bounds of a whole document. It is read line by line and never kept whole: a token with millions of holders has 500 MB. */
const BOUNDS = { timeoutMs: 600_000, maxBytes: 2 * 1024 ** 3 };

/**
 * Reads the document from a file or by HTTP.
 *
 * @throws NotProvable where it cannot be read
 */
export async function* textOf(document: string, allowHttp: true | undefined): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of await bytesOf(document, allowHttp)) yield decoder.decode(piece, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    if (!(cause instanceof Error) || cause instanceof NotProvable) throw cause;
    throw new NotProvable(`${document} cannot be read: ${cause.message}`, cause);
  }
}

async function bytesOf(document: string, allowHttp: true | undefined): Promise<AsyncIterable<Uint8Array>> {
  if (!/^https?:\/\//.test(document)) return createReadStream(document);
  const response = await fetchFollowing(document, BOUNDS, (url) => encryptedUrl(url, allowHttp));
  if (response.ok) return response.pieces;
  throw new NotProvable(`${document} is not shown: it answered ${response.status}`);
}
