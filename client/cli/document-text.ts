import { createReadStream } from 'node:fs';
import { NotProvable } from '../verify/check.ts';
import { encryptedUrl } from './common.ts';

/** To read a document whole: one that comes a byte at a time must not hold the reader for ever. */
const MOST_MS = 600_000;

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
  const response = await fetch(encryptedUrl(document, allowHttp), { signal: AbortSignal.timeout(MOST_MS) });
  if (response.ok && response.body) return response.body;
  throw new NotProvable(`${document} is not shown: it answered ${response.status}`);
}
