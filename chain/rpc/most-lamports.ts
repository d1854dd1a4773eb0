import { answersOf, type EndpointSet } from './endpoints.ts';
import { RpcUnavailableError } from './json-rpc.ts';
import { BalanceShape } from './shapes.ts';

/** How long endpoints are waited for once one has answered, in ms. */
const GRACE_MS = 2_000;

/**
 * The least lamports at an address (base58), confirmed, of which a quorum of endpoints sees no more there: who has too little by this
 * figure has so by more than one endpoint's word.
 * @throws RpcUnavailableError when fewer than a quorum answered.
 */
export async function mostLamports(endpoints: EndpointSet, address: string): Promise<bigint> {
  const { quorum } = endpoints;
  const options = { commitment: 'confirmed' };
  const replies = await endpoints.promptReplies(
    (endpoint) => endpoint.call('getBalance', [address, options], BalanceShape),
    GRACE_MS,
  );
  const said = answersOf(replies).map(({ value }) => BigInt(value));
  const most = said.toSorted((a, b) => Number(a - b))[quorum - 1];
  if (most === undefined)
    throw new RpcUnavailableError(`${said.length} of ${quorum} RPC endpoints say what ${address} holds`);
  return most;
}
