import { requestText } from '../http/request-text.ts';

/** A prepare waits for the price. */
const TIMEOUT_MS = 3_000;

const MAX_BYTES = 256 * 1024;

/** Throws like requestText, and past 3 s or 256 kB. */
export function getText(url: URL, headers: Readonly<Record<string, string>>): Promise<string> {
  return requestText(url, { headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
}
