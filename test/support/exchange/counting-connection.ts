import { Connection } from '@solana/web3.js';

/** A connection at `confirmed` whose RPC methods are noted in the order they are called. */
export function countingConnection(rpcUrl: string): { connection: Connection; calls: string[] } {
  const calls: string[] = [];
  const connection = new Connection(rpcUrl, {
    commitment: 'confirmed',
    fetch: async (url, init) => {
      calls.push(methodOf(init?.body));
      return fetch(url, init);
    },
  });
  return { connection, calls };
}

function methodOf(body: unknown): string {
  const parsed: unknown = JSON.parse(String(body));
  const method = typeof parsed === 'object' && parsed !== null && 'method' in parsed ? parsed.method : 'a batch';
  return String(method);
}
