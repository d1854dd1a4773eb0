import type { EndpointSet } from './endpoints.ts';
import { headsOf, NEAR_SLOTS, reachedBy } from './head.ts';
import { RpcUnavailableError } from './json-rpc.ts';
import type { Commitment } from './statuses.ts';

/** One endpoint named a slot that the chain has not reached. */
export class SlotBeyondError extends RpcUnavailableError {
  constructor(slot: number, reached: number) {
    super(`one RPC endpoint is at slot ${slot}, the others at ${reached}`);
    this.name = 'SlotBeyondError';
  }
}

/** ms; bounds how far the chain can have moved. */
export const SHORTEST_SLOT_MS = 350;

/** Checks one endpoint's slot before it is stored: one too far ahead would block all later updates. */
export interface ReachedSlots {
  /**
   * Returns a quorum's slot, else the smallest one, limited by how far the chain can have moved since a quorum last
   * responded.
   *
   * @throws RpcUnavailableError when no endpoint responds, a quorum is not near each other, or none ever responded
   */
  reached(commitment: Commitment): Promise<number>;
  /**
   * Makes calls only if the slot is ahead of the last quorum.
   *
   * @throws SlotBeyondError, or as `reached`
   */
  assertReached(slot: number): Promise<void>;
}

export function createReachedSlots(endpoints: EndpointSet, now: () => number): ReachedSlots {
  let known: { readonly slot: number; readonly at: number } | null = null;
  const mostBy = (at: number) => known && known.slot + NEAR_SLOTS + Math.max(0, at - known.at) / SHORTEST_SLOT_MS;
  const reached = async (commitment: Commitment): Promise<number> => {
    const slots = (await headsOf(endpoints, commitment)).map(({ slot }) => slot);
    if (slots.length >= endpoints.quorum) {
      const slot = reachedBy(endpoints, 'slot', slots);
      if (known === null || slot > known.slot) known = { slot, at: now() };
      return slot;
    }
    const most = mostBy(now());
    if (most === null) throw new RpcUnavailableError(`no quorum of RPC endpoints has said yet how far the chain is`);
    return Math.floor(Math.min(most, ...slots));
  };
  return {
    reached,
    async assertReached(slot) {
      if (endpoints.quorum === 1 || (known !== null && slot <= known.slot + NEAR_SLOTS)) return;
      const far = await reached('confirmed');
      if (slot > far + NEAR_SLOTS) throw new SlotBeyondError(slot, far);
    },
  };
}
