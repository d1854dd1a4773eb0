import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { errorText } from '../../../domain/error-text.ts';
import { toJson } from '../encoding/json.ts';
import type { RpcContext } from './context.ts';
import { NAMED_PARAMS, RPC_METHODS } from './methods.ts';
import { RPC_ERRORS, RpcError } from './rpc-error.ts';

const Id = Type.Union([Type.String(), Type.Number(), Type.Null()]);

/** Request; as on any node, a notification (no id) gets a response. */
const RequestSchema = Compile(
  Type.Object({
    jsonrpc: Type.Optional(Type.Literal('2.0')),
    id: Type.Optional(Id),
    method: Type.String(),
    params: Type.Optional(Type.Unknown()),
  }),
);

export interface RpcRequest {
  readonly id: string | number | null;
  readonly method: string;
  readonly params: readonly unknown[];
}

const MAX_BATCH = 2_000;

function errorJson(id: RpcRequest['id'], error: RpcError): unknown {
  const { code, message, data } = error;
  return { jsonrpc: '2.0', error: data === undefined ? { code, message } : { code, message, data }, id };
}

export function unreadable(code: number, message: string): string {
  return toJson(errorJson(null, new RpcError(code, message)));
}

/**
 * Named parameters become an array.
 *
 * @throws RpcError -32600 / -32602
 */
export function readRequest(body: unknown): RpcRequest {
  if (!RequestSchema.Check(body)) throw new RpcError(RPC_ERRORS.invalidRequest, 'Invalid request');
  const { id = null, method, params = [] } = body;
  if (NAMED_PARAMS.has(method) && params !== null && !Array.isArray(params)) return { id, method, params: [params] };
  if (params !== null && !Array.isArray(params)) {
    throw new RpcError(RPC_ERRORS.invalidParams, '`params` should be an array');
  }
  const list: readonly unknown[] = params ?? [];
  return { id, method, params: list };
}

function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  // Exposed: the clients of a development node are its developers.
  const message = errorText(error);
  return new RpcError(RPC_ERRORS.internal, `Internal error: ${message}`);
}

function answerOne(body: unknown, context: RpcContext): unknown {
  let id: RpcRequest['id'] = null;
  try {
    const request = readRequest(body);
    id = request.id;
    const method = RPC_METHODS.get(request.method);
    if (!method) throw new RpcError(RPC_ERRORS.methodNotFound, 'Method not found');
    return { jsonrpc: '2.0', result: method(request.params, context) ?? null, id };
  } catch (error) {
    return errorJson(id, toRpcError(error));
  }
}

/** One request or a batch. Returns JSON text. */
export function answer(body: unknown, context: RpcContext): string {
  if (!Array.isArray(body)) return toJson(answerOne(body, context));
  if (body.length === 0) return unreadable(RPC_ERRORS.invalidRequest, 'Invalid request');
  if (body.length > MAX_BATCH)
    return unreadable(RPC_ERRORS.invalidRequest, `batch of ${body.length}, at most ${MAX_BATCH}`);
  return `[${body.map((one) => toJson(answerOne(one, context))).join(',')}]`;
}
