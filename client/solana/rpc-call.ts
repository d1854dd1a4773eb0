import { fetchBounded, MOST_JSON_BYTES } from '../http/bounded-fetch.ts';
import { isRecord } from '../http/shape.ts';

export interface RpcCallOptions {
  /** Default: the runtime's own. */
  readonly fetch?: typeof fetch;
  /** Default 30,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Asks an RPC endpoint; returns its whole answer, which is none of JSON-RPC where it is no record. */
export async function rpcCall(
  url: string,
  method: string,
  params: readonly unknown[],
  { timeoutMs = 30_000, fetch: fetchWith, signal }: RpcCallOptions = {},
): Promise<Readonly<Record<string, unknown>>> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    ...(signal && { signal }),
  };
  const bounds = { maxBytes: MOST_JSON_BYTES, timeoutMs, ...(fetchWith && { fetch: fetchWith }) };
  const answer = await (await fetchBounded(url, init, bounds)).json();
  return isRecord(answer) ? answer : { error: answer };
}
