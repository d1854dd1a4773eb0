import { RpcUnavailableError } from '../../chain/rpc/json-rpc.ts';
import { isTransientDatabaseError } from '../../db/errors.ts';

/** gRPC status codes of a server that is away or too slow: DEADLINE_EXCEEDED, UNAVAILABLE. */
const GRPC_AWAY = new Set<unknown>([4, 14]);

/** Codes of undici's fetch, which web3.js requests go through. */
const FETCH_AWAY = new Set<unknown>(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT']);

/** True when an error says that PostgreSQL, Temporal or the chain's RPC is away, as opposed to a fault of ours. Follows `cause`. */
export function isDependencyDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof RpcUnavailableError || isTransientDatabaseError(error)) return true;
  if ('code' in error && (GRPC_AWAY.has(error.code) || FETCH_AWAY.has(error.code))) return true;
  if (error instanceof AggregateError && error.errors.some(isDependencyDown)) return true;
  return isDependencyDown(error.cause);
}
