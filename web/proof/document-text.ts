import { NotProvable } from '../../client/verify/check.ts';
import { documentUrl } from './document-url.ts';

/** A task that takes longer delays what a reader taps. */
const BUSY_MS = 40;

/**
 * Reads a sealed document piece by piece; large ones have many megabytes.
 * @throws NotProvable where it cannot be read
 */
export async function* documentText(
  root: string,
  signal: AbortSignal,
  onRead: (bytes: number) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = await openDocument(root, signal);
  let [read, freshAt] = [0, performance.now()];
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(unreadable);
      if (done) break;
      read += value.length;
      yield decoded(() => decoder.decode(value, { stream: true }));
      if (performance.now() - freshAt < BUSY_MS) continue;
      onRead(read);
      await new Promise((resolve) => setTimeout(resolve));
      freshAt = performance.now();
    }
    yield decoded(() => decoder.decode());
  } finally {
    // After a line that is wrong the rest is not read.
    await reader.cancel().catch(() => undefined);
  }
}

async function openDocument(root: string, signal: AbortSignal) {
  const response = await fetch(documentUrl(root), { signal }).catch(unreadable);
  if (response.ok && response.body) return response.body.getReader();
  throw new NotProvable(`the platform does not show the document: it answered ${response.status}`);
}

function unreadable(cause: unknown): never {
  throw new NotProvable('the document could not be read to its end: the connection was lost', cause);
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    throw new NotProvable('the document is not UTF-8', cause);
  }
}
