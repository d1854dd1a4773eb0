import { request } from 'undici';

/** A price must come within this time, in ms: somebody waits for prepare. */
const TIMEOUT_MS = 3_000;

/** Answers hold a handful of prices. */
const MAX_BYTES = 256 * 1024;

/**
 * Gets the body of an answer as text. Throws with host and path, never the query or headers, on a status other than 200, a
 * timeout or a body beyond 256 kB.
 */
export async function getText(url: URL, headers: Readonly<Record<string, string>>): Promise<string> {
  const name = `${url.host}${url.pathname}`;
  const response = await request(url, {
    headers: { accept: 'application/json', ...headers },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.statusCode !== 200) {
    await response.body.dump();
    throw new Error(`${name} answered ${response.statusCode}`);
  }
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response.body) {
    if (!Buffer.isBuffer(part)) throw new Error(`${name} answered no bytes`);
    size += part.length;
    if (size > MAX_BYTES) throw new Error(`${name} answered more than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
