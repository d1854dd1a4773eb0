/** One call to an RPC endpoint, for those who count them. A provider's key sits in path or query and is not in it. */
export interface RpcCall {
  /** Host and port of the endpoint. */
  readonly host: string;
  /** Name of the JSON-RPC method; of a batch, that of its first call. */
  readonly method: string;
  /** Whether HTTP brought an answer, one with an error status, or none. An answer may still be a JSON-RPC error. */
  readonly outcome: 'answered' | 'http_error' | 'no_answer';
  /** From the call to the beginning of the answer, in seconds. */
  readonly seconds: number;
}

/** Calls go through `fetch`, and each is reported once its answer begins or fails to. */
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

/** The envelope stands before its parameters, so the first name is the method; they may be long, and are not parsed. */
function methodOf(body: unknown): string {
  const [, method] =
    typeof body === 'string' ? (/"method":"([A-Za-z][A-Za-z0-9]{0,49})"/.exec(body.slice(0, 200)) ?? []) : [];
  return method ?? 'unknown';
}
