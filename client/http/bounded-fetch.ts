/**
 * Most bytes of an answer in JSON: more than a full page of a list, a hundred accounts or a block's signatures take. Parsed
 * it may take seventy times as much memory.
 */
export const MOST_JSON_BYTES = 8 * 1024 * 1024;

/** Nothing that another machine says is read without an end. */
export interface Bounds {
  /** Most bytes of the body, decompressed. */
  readonly maxBytes: number;
  /** Limit from the request to the last byte, ms. */
  readonly timeoutMs: number;
  /** Default: the runtime's own. */
  readonly fetch?: typeof fetch;
}

export interface BoundedResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  /** @throws RangeError for a body of more than `maxBytes` */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** The body as JSON. @throws RangeError as `pieces`, SyntaxError */
  json(): Promise<unknown>;
}

/** A redirect is refused: who answers must be who was asked. */
type Init = Omit<RequestInit, 'redirect'>;

/** The only `fetch` of this package (lint). */
export async function fetchBounded(url: string, init: Init, bounds: Bounds): Promise<BoundedResponse> {
  return boundedBy(bounds, await fetchWith(url, init, bounds, 'error'));
}

/**
 * Follows redirects by itself, so that each address is checked before it is asked. For documents, which count by their
 * hash.
 *
 * @param checked throws for an address that may not be asked
 * @throws Error after `MOST_REDIRECTS`, or where one leads from https to http
 */
export async function fetchFollowing(
  url: string,
  bounds: Bounds,
  checked: (url: string) => string,
): Promise<BoundedResponse> {
  const until = Date.now() + bounds.timeoutMs;
  for (let [at, redirects] = [checked(url), 0]; ; redirects++) {
    const left = { ...bounds, timeoutMs: Math.max(1, until - Date.now()) };
    const response = await fetchWith(at, {}, left, 'manual');
    const location = response.headers.get('location');
    if (!REDIRECTS.has(response.status) || location === null) return boundedBy(left, response);
    await response.body?.cancel();
    if (redirects === MOST_REDIRECTS) throw new Error(`${url} redirects more than ${MOST_REDIRECTS} times`);
    const next = new URL(location, at);
    if (at.startsWith('https:') && next.protocol !== 'https:')
      throw new Error(`${at} redirects to ${next.href}, without TLS`);
    at = checked(next.href);
  }
}

const MOST_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function fetchWith(url: string, init: Init, bounds: Bounds, redirect: 'error' | 'manual'): Promise<Response> {
  const timeout = AbortSignal.timeout(bounds.timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  return (bounds.fetch ?? fetch)(url, { ...init, redirect, signal });
}

function boundedBy({ maxBytes }: Bounds, { ok, status, headers, body }: Response): BoundedResponse {
  const pieces = piecesOf(body, maxBytes);
  return { ok, status, headers, pieces, json: async () => JSON.parse(await textOf(pieces)) as unknown };
}

async function* piecesOf(body: ReadableStream<Uint8Array> | null, maxBytes: number): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    for (let read = 0; ;) {
      const piece = await reader?.read();
      if (!piece || piece.done) return;
      read += piece.value.length;
      if (read > maxBytes) throw new RangeError(`the response is larger than ${maxBytes} bytes`);
      yield piece.value;
    }
  } finally {
    // Ends the connection of a body that is not read to its end.
    await reader?.cancel();
  }
}

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of pieces) text += decoder.decode(piece, { stream: true });
  return text + decoder.decode();
}
