import { request } from 'undici';

export interface TextRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Of a POST; without it a GET. */
  readonly body?: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

const SHOWN = 200;

/**
 * Errors name host and path, never query or headers. Throws on a status other than 200, a timeout, or over `maxBytes`.
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
