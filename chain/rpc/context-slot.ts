import { isCausedBy } from './caused-by.ts';
import { RpcAnswerError } from './json-rpc.ts';

/** JSON_RPC_SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED of agave's rpc-client-api. */
const NOT_REACHED = -32_016;

/** True for an error that says that an endpoint has not come to the slot that its answer was to be of at least. */
export function saysNotReached(error: unknown): boolean {
  return isCausedBy(error, (cause) => cause instanceof RpcAnswerError && cause.code === NOT_REACHED);
}
