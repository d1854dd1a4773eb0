import { Connection } from '@solana/web3.js';
import type { EndpointSet } from './endpoints.ts';
import { type RpcEndpoint, RpcUnavailableError } from './json-rpc.ts';

/**
 * A web3.js connection for reads, which asks the endpoints as every other read does: in their order, with one memory of which
 * ones were silent, and the next one beside one that takes long. Its websocket is never opened as long as nobody subscribes; nobody
 * may, because it reconnects for ever and keeps the process alive after the node is gone.
 */
export function createReadConnection(endpoints: EndpointSet, timeoutMs: number, fetchFrom: typeof fetch): Connection {
  const [first] = endpoints.all;
  if (!first) throw new RangeError('at least one RPC endpoint is required');
  return new Connection(first.url, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
    fetch: (_url, init) =>
      endpoints.read(async (endpoint) => {
        const { status, text } = await ask(endpoint, () =>
          fetchFrom(endpoint.url, { ...init, signal: AbortSignal.timeout(timeoutMs) }),
        );
        if (status !== 429 && status < 500) return new Response(text, { status });
        throw new RpcUnavailableError(`${endpoint.name} answered HTTP ${status}`);
      }),
  });
}

/** The whole answer: an endpoint that stops in the middle of one is as silent as one that never begins. */
async function ask(endpoint: RpcEndpoint, send: () => Promise<Response>): Promise<{ status: number; text: string }> {
  try {
    const response = await send();
    return { status: response.status, text: await response.text() };
  } catch (cause) {
    throw new RpcUnavailableError(`${endpoint.name} did not answer`, { cause });
  }
}
