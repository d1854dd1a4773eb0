import { Connection } from '@solana/web3.js';
import type { EndpointSet } from './endpoints.ts';
import { RpcUnavailableError } from './json-rpc.ts';

/**
 * A web3.js connection for reads: each request has a deadline and goes to the next endpoint when one fails at the level of
 * HTTP. Its websocket is never opened as long as nobody subscribes; nobody may, because it reconnects for ever and keeps
 * the process alive after the node is gone.
 */
export function createReadConnection(endpoints: EndpointSet, timeoutMs: number, fetchFrom: typeof fetch): Connection {
  const [first] = endpoints.all;
  if (!first) throw new RangeError('at least one RPC endpoint is required');
  return new Connection(first.url, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
    fetch: async (_url, init) => {
      const errors: unknown[] = [];
      for (const endpoint of endpoints.all) {
        try {
          const response = await fetchFrom(endpoint.url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
          if (response.status !== 429 && response.status < 500) return response;
          errors.push(new Error(`${endpoint.name} answered HTTP ${response.status}`));
          await response.body?.cancel();
        } catch (error) {
          errors.push(new Error(`${endpoint.name} did not answer`, { cause: error }));
        }
      }
      throw new RpcUnavailableError('no RPC endpoint answered', { cause: new AggregateError(errors) });
    },
  });
}
