import type { EndpointSet } from './endpoints.ts';
import { headsOf, NEAR_SLOTS, reachedBy } from './head.ts';
import { RpcUnavailableError } from './json-rpc.ts';
import type { Commitment } from './statuses.ts';

/** One endpoint named a slot that the chain has not come to. */
export class SlotBeyondError extends RpcUnavailableError {
  constructor(slot: number, reached: number) {
    super(`one RPC endpoint is at slot ${slot}, the others at ${reached}`);
    this.name = 'SlotBeyondError';
  }
}

/** No slot is shorter, ms: what is further than this allows was not reached. */
export const SHORTEST_SLOT_MS = 350;

/** How far the chain has come, where what one endpoint says is to be noted: nothing later would ever come up to a slot beyond it. */
export interface ReachedSlots {
  /**
   * By a quorum's word; where fewer answer by the least of what they name, and no further than the chain can have come since a quorum
   * said so. @throws RpcUnavailableError when no endpoint answers, a quorum does and is not near one another, or none ever has.
   */
  reached(commitment: Commitment): Promise<number>;
  /**
   * Passes where the chain is near a slot, or one endpoint's word is all there is. Asks only where that is further than what a quorum
   * was seen at. @throws SlotBeyondError, or like `reached`.
   */
  assertReached(slot: number): Promise<void>;
}

/** Of nothing known yet; `now` is a clock in ms. */
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
