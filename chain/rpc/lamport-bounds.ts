import { lowerBound, upperBound } from './agreed-accounts.ts';
import { type EndpointSet, quorumAnswersOf } from './endpoints.ts';
import { BalanceShape } from './shapes.ts';

const GRACE_MS = 2_000;

/**
 * The smallest upper bound of the confirmed lamports at an address (base58) that a quorum confirms.
 *
 * @throws RpcUnavailableError when fewer responded
 */
export async function mostLamports(endpoints: EndpointSet, address: string): Promise<bigint> {
  return upperBound(endpoints, address, await lamportsAt(endpoints, address));
}

/**
 * The largest lower bound of them: what may be spent, whatever one endpoint says.
 *
 * @throws RpcUnavailableError when fewer responded
 */
export async function leastLamports(endpoints: EndpointSet, address: string): Promise<bigint> {
  return lowerBound(endpoints, address, await lamportsAt(endpoints, address));
}

async function lamportsAt(endpoints: EndpointSet, address: string): Promise<bigint[]> {
  const replies = await endpoints.quorumReplies(
    (endpoint) => endpoint.call('getBalance', [address, { commitment: 'confirmed' }], BalanceShape),
    { graceMs: GRACE_MS },
  );
  return quorumAnswersOf(endpoints, replies, `what ${address} holds`).map(({ value }) => BigInt(value));
}
