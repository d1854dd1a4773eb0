import { createEndpoint } from './json-rpc.ts';
import { TextShape } from './shapes.ts';

export interface EndpointHealth {
  /** `rpc[N] host`: two endpoints of one host differ. Without path and query, which hold the provider's key. */
  readonly name: string;
  readonly origin: string;
  /** @throws unless the endpoint reports itself healthy */
  readonly check: () => Promise<void>;
}

export function endpointHealth(urls: readonly string[], timeoutMs: number): EndpointHealth[] {
  return urls.map((url, index) => {
    const { origin } = new URL(url);
    const endpoint = createEndpoint({ url, index, timeoutMs, fetch });
    return { name: endpoint.name, origin, check: async () => void (await endpoint.call('getHealth', [], TextShape)) };
  });
}
