import { answersOf, type EndpointSet, quorumAnswersOf, agreedByQuorum } from './endpoints.ts';
import { type RpcEndpoint, RpcUnavailableError } from './json-rpc.ts';
import { EpochInfoShape, EpochShape } from './shapes.ts';
import type { Commitment } from './statuses.ts';

/** Slots and block heights differ: a skipped slot has no block. */
export interface ChainHead {
  readonly slot: number;
  readonly blockHeight: number;
}

const GRACE_MS = 2_000;

/** Most that a quorum's endpoints may differ, in slots or blocks: one minute. Beyond it an endpoint lags or lies. */
export const NEAR_SLOTS = 150;

/** Least slots to finality (MAX_LOCKOUT_HISTORY of the vote program). */
export const FINAL_AFTER_SLOTS = 31;

/**
 * The highest slot and height that a quorum, near each other, has reached: one endpoint can neither shorten nor prolong
 * a wait.
 *
 * @throws RpcUnavailableError without such a quorum
 */
export async function agreedHead(endpoints: EndpointSet, commitment: Commitment): Promise<ChainHead> {
  const said = await headsOf(endpoints, commitment);
  const [slots, heights] = [said.map(({ slot }) => slot), said.map(({ blockHeight }) => blockHeight)];
  return { slot: reachedBy(endpoints, 'slot', slots), blockHeight: reachedBy(endpoints, 'block height', heights) };
}

export async function headsOf(endpoints: EndpointSet, commitment: Commitment): Promise<ChainHead[]> {
  const ask = (endpoint: RpcEndpoint) => endpoint.call('getEpochInfo', [{ commitment }], EpochInfoShape);
  const said = answersOf(
    await endpoints.quorumReplies(ask, {
      graceMs: GRACE_MS,
      isDecided: (heads) =>
        isReached(
          endpoints,
          heads.map(({ absoluteSlot }) => absoluteSlot),
        ) &&
        isReached(
          endpoints,
          heads.map(({ blockHeight }) => blockHeight),
        ),
    }),
  );
  return said.map(({ absoluteSlot: slot, blockHeight }) => ({ slot, blockHeight }));
}

export function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= NEAR_SLOTS;
}

/**
 * The highest figure that a quorum, all near it, has reached.
 *
 * @throws RpcUnavailableError without one
 */
export function reachedBy(endpoints: Pick<EndpointSet, 'quorum'>, name: string, figures: readonly number[]): number {
  const reached = reachedAmong(endpoints, figures);
  if (reached !== undefined) return reached;
  const said = figures.toSorted((a, b) => b - a).join(', ');
  throw new RpcUnavailableError(`no ${endpoints.quorum} RPC endpoints are near the same ${name}: ${said}`);
}

/** True if a quorum is near one of the figures. */
export function isReached(endpoints: Pick<EndpointSet, 'quorum'>, figures: readonly number[]): boolean {
  return reachedAmong(endpoints, figures) !== undefined;
}

function reachedAmong({ quorum }: Pick<EndpointSet, 'quorum'>, figures: readonly number[]): number | undefined {
  const sorted = figures.toSorted((a, b) => b - a);
  return sorted.find((figure, at) => {
    const furthest = sorted[at - quorum + 1];
    return furthest !== undefined && isNear(furthest, figure);
  });
}

/**
 * The confirmed epoch of a quorum: one endpoint could choose which of two transfer fees applies. Agrees within two
 * seconds of an epoch's start.
 *
 * @throws RpcUnavailableError without a quorum
 */
export async function agreedEpoch(endpoints: EndpointSet): Promise<bigint> {
  const replies = await endpoints.quorumReplies(
    (endpoint) => endpoint.call('getEpochInfo', [{ commitment: 'confirmed' }], EpochShape),
    {
      graceMs: GRACE_MS,
      isDecided: (said) =>
        agreedByQuorum(
          endpoints,
          said.map(({ epoch }) => epoch),
        ) !== undefined,
    },
  );
  const epochs = quorumAnswersOf(endpoints, replies, 'which epoch it is').map(({ epoch }) => epoch);
  const agreed = agreedByQuorum(endpoints, epochs);
  if (agreed !== undefined) return BigInt(agreed);
  throw new RpcUnavailableError(`no quorum of RPC endpoints is in the same epoch: ${epochs.join(', ')}`);
}
