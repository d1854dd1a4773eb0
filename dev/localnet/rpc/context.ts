import type { ChainControl } from '../server/control.ts';
import type { Faucet } from '../server/faucet.ts';
import type { ChainView } from '../server/view.ts';
import { type Commitment, commitmentOf, type Params } from './params.ts';
import { RPC_ERRORS, RpcError } from './rpc-error.ts';

export interface RpcContext {
  readonly view: ChainView;
  readonly endpoint: string;
  readonly genesisHash: string;
  readonly faucet: Faucet;
  readonly control: ChainControl;
}

/** A thrown RpcError becomes `error`. */
export type RpcMethod = (params: Params, context: RpcContext) => unknown;

export type RpcMethods = Readonly<Record<string, RpcMethod>>;

export interface ContextRequest {
  readonly commitment?: string | null | undefined;
  readonly minContextSlot?: number | null | undefined;
}

export interface WithContext<T> {
  readonly context: { readonly slot: number; readonly apiVersion: string };
  readonly value: T;
}

export const API_VERSION = '3.0.6';

/** @throws RpcError -32016 behind `minContextSlot` */
export function checkedCommitment(view: ChainView, request: ContextRequest, fallback?: Commitment): Commitment {
  const commitment = commitmentOf(request.commitment, fallback);
  const contextSlot = view.slotAt(commitment);
  if (request.minContextSlot !== undefined && request.minContextSlot !== null && contextSlot < request.minContextSlot) {
    const message = 'Minimum context slot has not been reached';
    throw new RpcError(RPC_ERRORS.minContextSlotNotReached, message, { contextSlot });
  }
  return commitment;
}

export function withContext<T>(view: ChainView, commitment: Commitment, value: T): WithContext<T> {
  return { context: { slot: view.slotAt(commitment), apiVersion: API_VERSION }, value };
}
