import { answersOf, type EndpointSet, quorumAnswersOf, saidByQuorum } from './endpoints.ts';
import { type RpcEndpoint, RpcUnavailableError } from './json-rpc.ts';
import { EpochInfoShape, EpochShape } from './shapes.ts';
import type { Commitment } from './statuses.ts';

/** The newest block at a commitment. Slots and block heights are different numbers: a skipped slot has no block. */
export interface ChainHead {
  readonly slot: number;
  readonly blockHeight: number;
}

/** How long endpoints are waited for once one has answered, in ms. */
const GRACE_MS = 2_000;

/** Slots, or blocks, by which a quorum's endpoints may differ: one minute. Who is further off lags, or lied. */
export const NEAR_SLOTS = 150;

/** Nothing is final in fewer slots: a block is rooted by votes on so many that follow it (MAX_LOCKOUT_HISTORY of the vote program). */
export const FINAL_AFTER_SLOTS = 31;

/**
 * How far the chain is: of each figure the highest that a quorum of endpoints has reached, all of them near it. One endpoint
 * alone can neither hurry a wait nor make it last for ever.
 * @throws RpcUnavailableError when no quorum answers, or none that is near one another.
 */
export async function agreedHead(endpoints: EndpointSet, commitment: Commitment): Promise<ChainHead> {
  const said = await headsOf(endpoints, commitment);
  const [slots, heights] = [said.map(({ slot }) => slot), said.map(({ blockHeight }) => blockHeight)];
  return { slot: reachedBy(endpoints, 'slot', slots), blockHeight: reachedBy(endpoints, 'block height', heights) };
}

/** How far each endpoint says that the chain is, of those that answer in time. @throws RpcUnavailableError when none does. */
export async function headsOf(endpoints: EndpointSet, commitment: Commitment): Promise<ChainHead[]> {
  const ask = (endpoint: RpcEndpoint) => endpoint.call('getEpochInfo', [{ commitment }], EpochInfoShape);
  const said = answersOf(await endpoints.promptReplies(ask, GRACE_MS));
  return said.map(({ absoluteSlot: slot, blockHeight }) => ({ slot, blockHeight }));
}

/** Whether two slots, or block heights, differ no more than those of a quorum may. */
export function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= NEAR_SLOTS;
}

/** The highest of these figures that a quorum has reached, all of them near it. @throws RpcUnavailableError when none has. */
export function reachedBy({ quorum }: Pick<EndpointSet, 'quorum'>, name: string, figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => b - a);
  const reached = sorted.find((figure, at) => {
    const furthest = sorted[at - quorum + 1];
    return furthest !== undefined && isNear(furthest, figure);
  });
  if (reached === undefined)
    throw new RpcUnavailableError(`no ${quorum} RPC endpoints are near the same ${name}: ${sorted.join(', ')}`);
  return reached;
}

/**
 * The epoch that a quorum of endpoints is in, confirmed. One that is ahead or behind could choose which of two transfer fees holds; where
 * endpoints come to a new epoch one after the other, a quorum agrees again within a second or two.
 * @throws RpcUnavailableError when no quorum answers, or is in the same.
 */
export async function agreedEpoch(endpoints: EndpointSet): Promise<bigint> {
  const replies = await endpoints.promptReplies(
    (endpoint) => endpoint.call('getEpochInfo', [{ commitment: 'confirmed' }], EpochShape),
    GRACE_MS,
  );
  const epochs = quorumAnswersOf(endpoints, replies, 'which epoch it is').map(({ epoch }) => epoch);
  const agreed = saidByQuorum(endpoints, epochs);
  if (agreed !== undefined) return BigInt(agreed);
  throw new RpcUnavailableError(`no quorum of RPC endpoints is in the same epoch: ${epochs.join(', ')}`);
}
