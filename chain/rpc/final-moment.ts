import { type EndpointSet, quorumAnswersOf } from './endpoints.ts';
import { type RpcEndpoint, RpcUnavailableError } from './json-rpc.ts';
import { BlockTimeShape, SlotShape } from './shapes.ts';

const GRACE_MS = 2_000;

/** Most that a quorum's newest final blocks may be dated apart, ms. Beyond it an endpoint lags or lies. */
const NEAR_MS = 60_000;

export interface FinalMoment {
  readonly slot: number;
  /** Of its block. */
  readonly at: Date;
}

/**
 * The newest final block that a quorum has reached, with its time by the chain's clock. One endpoint can neither name a
 * later time or slot, nor a time that is more than a minute earlier.
 *
 * @throws RpcUnavailableError without a quorum whose times are near each other
 */
export async function finalMoment(endpoints: EndpointSet): Promise<FinalMoment> {
  const replies = await endpoints.quorumReplies(askTime, {
    graceMs: GRACE_MS,
    isDecided: (said) => reachedAmong(endpoints, said) !== undefined,
  });
  const said = quorumAnswersOf(endpoints, replies, 'what time the newest final block has');
  const reached = reachedAmong(endpoints, said);
  if (reached !== undefined) return reached;
  const times = said.map(({ at }) => at.toISOString());
  throw new RpcUnavailableError(`no quorum of RPC endpoints dates the newest final block alike: ${times.join(', ')}`);
}

async function askTime(endpoint: RpcEndpoint): Promise<FinalMoment> {
  const slot = await endpoint.call('getSlot', [{ commitment: 'finalized' }], SlotShape);
  const seconds = await endpoint.call('getBlockTime', [slot], BlockTimeShape);
  if (seconds === null) throw new RpcUnavailableError(`${endpoint.name} has no time of block ${slot}`);
  return { slot, at: new Date(seconds * 1_000) };
}

/** The latest one that a quorum has reached: the earliest time and the lowest slot of those that are near each other. */
function reachedAmong({ quorum }: Pick<EndpointSet, 'quorum'>, said: readonly FinalMoment[]): FinalMoment | undefined {
  const sorted = said.toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const groups = sorted
    .map((_, place) => sorted.slice(place, place + quorum))
    .filter(({ length }) => length === quorum);
  const group = groups.find((each) => each[0]!.at.getTime() - each.at(-1)!.at.getTime() <= NEAR_MS);
  return group && { at: group.at(-1)!.at, slot: Math.min(...group.map(({ slot }) => slot)) };
}
