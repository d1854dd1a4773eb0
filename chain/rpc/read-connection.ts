import { Connection } from '@solana/web3.js';
import type { EndpointSet } from './endpoints.ts';
import { NODE_UNHEALTHY, type RpcEndpoint, RpcUnavailableError } from './json-rpc.ts';

/** Begins every answer of a node that is behind; what accounts hold comes later, or in base64. */
const BEHIND = new RegExp(`^[^[]{0,80}"error":\\s*\\{\\s*"code":\\s*${NODE_UNHEALTHY}\\b`);

/**
 * A web3.js connection for reads, which asks the endpoints as every other read does: in their order, with one memory of which
 * ones were silent, and the next one beside one that takes long. Its websocket is never opened as long as nobody subscribes; nobody
 * may, because it reconnects for ever and keeps the process alive after the node is gone.
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
        if (BEHIND.test(text)) throw new RpcUnavailableError(`${endpoint.name} is behind the cluster`);
        if (status !== 429 && status < 500) return new Response(text, { status });
        throw new RpcUnavailableError(`${endpoint.name} answered HTTP ${status}`);
      }),
  });
}

/** These two make a text of whatever their request fails with, so that nobody could tell an endpoint that is away from anything else. */
class ReadConnection extends Connection {
  override async getAccountInfo(...asked: Parameters<Connection['getAccountInfo']>) {
    return (await this.getAccountInfoAndContext(...asked)).value;
  }

  override async getBalance(...asked: Parameters<Connection['getBalance']>) {
    return (await this.getBalanceAndContext(...asked)).value;
  }
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
