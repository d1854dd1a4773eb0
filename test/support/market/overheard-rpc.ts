import Type from 'typebox';
import { Parse } from 'typebox/value';
import { createRpc, type Rpc } from '../../../chain/rpc/rpc.ts';

const CallSchema = Type.Object({ method: Type.String(), params: Type.Array(Type.Unknown()) });
export type RpcCall = Type.Static<typeof CallSchema>;

/** What is made of an endpoint's answer before it is read. */
export type Twist = (call: RpcCall, text: string) => string;

const ListedSchema = Type.Object({ result: Type.Optional(Type.Array(Type.Object({ slot: Type.Integer() }))) });
type Listed = NonNullable<Type.Static<typeof ListedSchema>['result']>;

/** An answer that says that nothing came of a call. */
export const FAILED = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'internal error' } });

/** Twists histories that are not final, newest first. */
export function listing(change: (entries: Listed) => Listed): Twist {
  return ({ method, params }, text) => {
    if (method !== 'getSignaturesForAddress' || !JSON.stringify(params).includes('confirmed')) return text;
    const answer = Parse(ListedSchema, JSON.parse(text));
    return answer.result ? JSON.stringify({ ...answer, result: change(answer.result) }) : text;
  };
}

/** Endpoints whose calls are counted, and whose answers a test may twist. */
export interface OverheardRpc {
  readonly rpc: Rpc;
  /** Since it was last forgotten. */
  readonly calls: readonly RpcCall[];
  /** How each answer is twisted from now on; default: not at all. */
  twist(twist?: Twist): void;
  forget(): void;
  countOf(method: string): number;
  /** How often the history of an address was asked for. */
  historiesOf(address: string): number;
}

export function overhearRpc(...endpoints: readonly string[]): OverheardRpc {
  const calls: RpcCall[] = [];
  let twisted: Twist = (_, text) => text;
  const rpc = createRpc({
    endpoints,
    fetch: async (to, init) => {
      const call = Parse(CallSchema, JSON.parse(bodyOf(init)));
      calls.push(call);
      const response = await fetch(to, init);
      return new Response(twisted(call, await response.text()), { status: response.status });
    },
  });
  const countOf = (matches: (call: RpcCall) => boolean): number => calls.filter(matches).length;
  return {
    rpc,
    calls,
    twist: (twist = (_, text) => text) => void (twisted = twist),
    forget: () => void calls.splice(0),
    countOf: (method) => countOf((call) => call.method === method),
    historiesOf: (address) =>
      countOf(({ method, params }) => method === 'getSignaturesForAddress' && params[0] === address),
  };
}

function bodyOf(init: RequestInit | undefined): string {
  if (typeof init?.body !== 'string') throw new Error('an RPC call has a body');
  return init.body;
}
