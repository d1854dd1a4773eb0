import type { ChainControl } from '../server/control.ts';
import type { Faucet } from '../server/faucet.ts';
import type { ChainView } from '../server/view.ts';
import { type Commitment, commitmentOf, type Params } from './params.ts';
import { RPC_ERRORS, RpcError } from './rpc-error.ts';

/** What a method has to work with. */
export interface RpcContext {
  /** The chain as the endpoint that was called sees it. */
  readonly view: ChainView;
  /** Name of that endpoint. */
  readonly endpoint: string;
  readonly genesisHash: string;
  readonly faucet: Faucet;
  readonly control: ChainControl;
}

/** A method: what it answers becomes `result`; an RpcError it throws becomes `error`. */
export type RpcMethod = (params: Params, context: RpcContext) => unknown;

/** Methods by name. */
export type RpcMethods = Readonly<Record<string, RpcMethod>>;

/** Fields every configuration object may have. */
export interface ContextRequest {
  readonly commitment?: string | null | undefined;
  readonly minContextSlot?: number | null | undefined;
}

/** The `{context, value}` envelope. */
export interface WithContext<T> {
  readonly context: { readonly slot: number; readonly apiVersion: string };
  readonly value: T;
}

/** Version of the node whose answers are imitated. */
export const API_VERSION = '3.0.6';

/**
 * The commitment a request asks for, once its `minContextSlot` was checked.
 * @throws RpcError -32016 when the endpoint has not reached that slot
 */
export function checkedCommitment(view: ChainView, request: ContextRequest, fallback?: Commitment): Commitment {
  const commitment = commitmentOf(request.commitment, fallback);
  const contextSlot = view.slotAt(commitment);
  if (request.minContextSlot !== undefined && request.minContextSlot !== null && contextSlot < request.minContextSlot) {
    const message = 'Minimum context slot has not been reached';
    throw new RpcError(RPC_ERRORS.minContextSlotNotReached, message, { contextSlot });
  }
  return commitment;
}

/** A value in its envelope, with the slot it was read at. */
export function withContext<T>(view: ChainView, commitment: Commitment, value: T): WithContext<T> {
  return { context: { slot: view.slotAt(commitment), apiVersion: API_VERSION }, value };
}
