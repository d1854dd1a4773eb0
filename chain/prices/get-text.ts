import { requestText } from '../http/request-text.ts';

/** A price must come within this time, in ms: somebody waits for prepare. */
const TIMEOUT_MS = 3_000;

/** Answers hold a handful of prices. */
const MAX_BYTES = 256 * 1024;

/** The body of a price service's answer. Throws like requestText, and beyond 3 s or 256 kB. */
export function getText(url: URL, headers: Readonly<Record<string, string>>): Promise<string> {
  return requestText(url, { headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
}
