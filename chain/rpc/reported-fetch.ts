/** One RPC call for metrics; it omits path and query, which hold the provider's key. */
export interface RpcCall {
  readonly host: string;
  /** Of a batch, its first. */
  readonly method: string;
  /** A success may contain a JSON-RPC error. */
  readonly outcome: 'answered' | 'http_error' | 'no_answer';
  /** Until the response begins. */
  readonly seconds: number;
}

export function reportedFetch(
  fetch: typeof globalThis.fetch,
  report: (call: RpcCall) => void,
): typeof globalThis.fetch {
  return async (input, init) => {
    const started = performance.now();
    const tell = (outcome: RpcCall['outcome']) => {
      const seconds = (performance.now() - started) / 1_000;
      report({ host: hostOf(input), method: methodOf(init?.body), outcome, seconds });
    };
    try {
      const response = await fetch(input, init);
      tell(response.ok ? 'answered' : 'http_error');
      return response;
    } catch (error) {
      tell('no_answer');
      throw error;
    }
  };
}

function hostOf(input: string | URL | Request): string {
  return new URL(input instanceof Request ? input.url : input).host;
}

/** The envelope comes first; long parameters are not parsed. */
function methodOf(body: unknown): string {
  const [, method] =
    typeof body === 'string' ? (/"method":"([A-Za-z][A-Za-z0-9]{0,49})"/.exec(body.slice(0, 200)) ?? []) : [];
  return method ?? 'unknown';
}
