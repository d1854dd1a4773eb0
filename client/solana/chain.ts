import { isRecord } from '../http/shape.ts';
import { rpcCall } from './rpc-call.ts';

/** The caller's own RPC endpoint shows it (base58) without an error. */
export async function hasLanded(rpcUrl: string, signature: string, signal?: AbortSignal): Promise<boolean> {
  const params = [[signature], { searchTransactionHistory: true }];
  const { result } = await rpcCall(rpcUrl, 'getSignatureStatuses', params, { ...(signal && { signal }) });
  const value = isRecord(result) ? result['value'] : undefined;
  if (!Array.isArray(value)) throw new Error(`${new URL(rpcUrl).host} does not say whether ${signature} landed`);
  const status: unknown = value[0];
  return isRecord(status) && status['err'] === null;
}
