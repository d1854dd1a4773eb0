import { Connection } from '@solana/web3.js';
import type { EndpointSet } from './endpoints.ts';
import { type RpcEndpoint, RpcUnavailableError, TURNED_AWAY } from './json-rpc.ts';

/** Characters of a response that turns a request away, at most. Longer ones are not read for it. */
const REFUSAL_LENGTH = 2_000;

/** Code of a response that turns a request away with HTTP 200; undefined for any other. */
function refusalIn(text: string): number | undefined {
  if (text.length > REFUSAL_LENGTH || !text.includes('"error"')) return undefined;
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly code?: unknown } };
    return TURNED_AWAY.find((code) => code === error?.code);
  } catch {
    return undefined;
  }
}

/**
 * Uses the endpoint set's order, silence memory and hedging. Do not subscribe: its websocket would reconnect for ever
 * and keep the process alive.
 */
export function createReadConnection(endpoints: EndpointSet, timeoutMs: number, fetchFrom: typeof fetch): Connection {
  const [first] = endpoints.all;
  if (!first) throw new RangeError('at least one RPC endpoint is required');
  return new ReadConnection(first.url, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
    fetch: (_url, init) =>
      endpoints.read(async (endpoint) => {
        const { status, text } = await ask(endpoint, () =>
          fetchFrom(endpoint.url, { ...init, signal: AbortSignal.timeout(timeoutMs) }),
        );
        const code = refusalIn(text);
        if (code !== undefined)
          throw new RpcUnavailableError(`${endpoint.name} is behind the cluster, or limits requests: error ${code}`);
        if (status !== 429 && status < 500) return new Response(text, { status });
        throw new RpcUnavailableError(`${endpoint.name} answered HTTP ${status}`);
      }),
  });
}

/** The base methods turn failures into text, which hides whether an endpoint is down. */
class ReadConnection extends Connection {
  override async getAccountInfo(...asked: Parameters<Connection['getAccountInfo']>) {
    return (await this.getAccountInfoAndContext(...asked)).value;
  }

  override async getBalance(...asked: Parameters<Connection['getBalance']>) {
    return (await this.getBalanceAndContext(...asked)).value;
  }
}

/** Reads the whole response: an endpoint that stops within one counts as silent. */
async function ask(endpoint: RpcEndpoint, send: () => Promise<Response>): Promise<{ status: number; text: string }> {
  try {
    const response = await send();
    return { status: response.status, text: await response.text() };
  } catch (cause) {
    throw new RpcUnavailableError(`${endpoint.name} did not answer`, { cause });
  }
}
