import { NEAR_SLOTS } from '../../chain/rpc/head.ts';
import { SlotBeyondError } from '../../chain/rpc/reached-slot.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';

/** Returns the slot that a quorum has finalized, given one endpoint's. Asks the quorum once. */
export type AgreedSlot = (slot: number) => Promise<number>;

/**
 * Create it before the request that it checks, so that `preferOtherEndpoint` avoids the endpoint that answered. Never
 * record a slot beyond the returned one: no later reading would reach it.
 *
 * @throws SlotBeyondError if the slot is far beyond finality; reads then avoid the endpoint
 */
export function createAgreedSlot(rpc: Rpc): AgreedSlot {
  const preference = rpc.preference();
  let reached: Promise<number> | undefined;
  return async (slot) => {
    if (rpc.quorum === 1) return slot;
    const final = await (reached ??= rpc.reachedSlot('finalized'));
    if (slot <= final + NEAR_SLOTS) return final;
    rpc.preferOtherEndpoint(preference);
    throw new SlotBeyondError(slot, final);
  };
}

/**
 * Reads once, and again from another endpoint if the response is ahead of the chain.
 * @throws SlotBeyondError if the second response is ahead too
 */
export async function readReached<T>(
  rpc: Rpc,
  read: () => Promise<T>,
  slotsOf: (answer: T) => readonly number[],
): Promise<T> {
  const readOnce = async () => {
    const answer = await read();
    await rpc.assertReached(Math.max(0, ...slotsOf(answer)));
    return answer;
  };
  const preference = rpc.preference();
  try {
    return await readOnce();
  } catch (error) {
    if (!(error instanceof SlotBeyondError)) throw error;
    rpc.preferOtherEndpoint(preference);
    return readOnce();
  }
}
