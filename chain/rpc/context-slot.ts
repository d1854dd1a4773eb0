import { isCausedBy } from './caused-by.ts';
import { RpcAnswerError } from './json-rpc.ts';

/** JSON_RPC_SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED of agave's rpc-client-api. */
const NOT_REACHED = -32_016;

/** True if the endpoint is behind the requested minimum slot. */
export function saysNotReached(error: unknown): boolean {
  return isCausedBy(error, (cause) => cause instanceof RpcAnswerError && cause.code === NOT_REACHED);
}
