import { saysNotReached } from '../../chain/rpc/context-slot.ts';
import { RpcUnavailableError } from '../../chain/rpc/json-rpc.ts';
import { isTransientDatabaseError } from '../../db/errors.ts';

/** DEADLINE_EXCEEDED, UNAVAILABLE. */
const GRPC_AWAY = new Set<unknown>([4, 14]);

/** Connection errors of undici's fetch, which web3.js uses. */
const FETCH_AWAY = new Set<unknown>(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT']);

/** True if PostgreSQL, Temporal or RPC is down: no fault of this service. Follows `cause`. */
export function isDependencyDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof RpcUnavailableError || isTransientDatabaseError(error) || saysNotReached(error)) return true;
  if ('code' in error && (GRPC_AWAY.has(error.code) || FETCH_AWAY.has(error.code))) return true;
  if (error instanceof AggregateError && error.errors.some(isDependencyDown)) return true;
  return isDependencyDown(error.cause);
}
