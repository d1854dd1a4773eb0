import { request } from 'undici';

/** One request to a service that answers text. */
export interface TextRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text of a POST; without it the request is a GET. */
  readonly body?: string;
  /** The whole answer must be there within this time, in ms. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Characters of a refusal that are shown. */
const SHOWN = 200;

/**
 * The body of an answer as text. Throws with host and path, never the query or headers, on a status other than 200 (with the
 * beginning of what the service says), a timeout, or a body beyond `maxBytes`.
 */
export async function requestText(url: URL, { headers, body, timeoutMs, maxBytes }: TextRequest): Promise<string> {
  const name = `${url.host}${url.pathname}`;
  const response = await request(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    signal: AbortSignal.timeout(timeoutMs),
    ...(body !== undefined && { body }),
  });
  const text = await readText(name, response.body, maxBytes);
  if (response.statusCode === 200) return text;
  throw new Error(`${name} answered ${response.statusCode} ${text.slice(0, SHOWN)}`.trimEnd());
}

async function readText(name: string, body: AsyncIterable<unknown>, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    if (!Buffer.isBuffer(part)) throw new Error(`${name} answered no bytes`);
    size += part.length;
    if (size > maxBytes) throw new Error(`${name} answered more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
