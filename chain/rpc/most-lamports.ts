import { type EndpointSet, quorumAnswersOf } from './endpoints.ts';
import { BalanceShape } from './shapes.ts';

/** How long endpoints are waited for once one has answered, in ms. */
const GRACE_MS = 2_000;

/**
 * The least lamports at an address (base58), confirmed, of which a quorum of endpoints sees no more there: who has too little by this
 * figure has so by more than one endpoint's word.
 * @throws RpcUnavailableError when fewer than a quorum answered.
 */
export async function mostLamports(endpoints: EndpointSet, address: string): Promise<bigint> {
  const options = { commitment: 'confirmed' };
  const replies = await endpoints.promptReplies(
    (endpoint) => endpoint.call('getBalance', [address, options], BalanceShape),
    GRACE_MS,
  );
  const said = quorumAnswersOf(endpoints, replies, `what ${address} holds`).map(({ value }) => BigInt(value));
  return said.toSorted((a, b) => Number(a - b))[endpoints.quorum - 1]!;
}
