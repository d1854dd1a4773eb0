import { isRecord } from '../http/shape.ts';

/** The caller's own RPC endpoint shows it (base58) without an error. */
export async function hasLanded(rpcUrl: string, signature: string, signal?: AbortSignal): Promise<boolean> {
  const params = [[signature], { searchTransactionHistory: true }];
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSignatureStatuses', params }),
    ...(signal && { signal }),
  });
  const answer: unknown = await response.json();
  const result = isRecord(answer) ? answer['result'] : undefined;
  const value = isRecord(result) ? result['value'] : undefined;
  if (!Array.isArray(value)) throw new Error(`${new URL(rpcUrl).host} does not say whether ${signature} landed`);
  const status: unknown = value[0];
  return isRecord(status) && status['err'] === null;
}
