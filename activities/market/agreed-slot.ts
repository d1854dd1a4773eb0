import { NEAR_SLOTS } from '../../chain/rpc/head.ts';
import { SlotBeyondError } from '../../chain/rpc/reached-slot.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';

/** How far the chain is final, asked once at most, where something was read at `slot` of one endpoint's word. */
export type AgreedSlot = (slot: number) => Promise<number>;

/**
 * To be made before that endpoint is asked. Nothing is noted beyond the answer, because no later reading would ever come as far.
 * Rejects where the others have not nearly come to the slot, and has reads go to another endpoint for a while.
 */
export function createAgreedSlot(rpc: Rpc): AgreedSlot {
  const preference = rpc.preference();
  let reached: Promise<number> | undefined;
  return async (slot) => {
    if (rpc.quorum === 1) return slot;
    const final = await (reached ??= rpc.reachedSlot('finalized'));
    if (slot <= final + NEAR_SLOTS) return final;
    rpc.readElsewhere(preference);
    throw new SlotBeyondError(slot, final);
  };
}

/**
 * What one endpoint is read for whose slots are noted, read once more of another one where they are beyond what the chain has come to.
 * Rejects with a SlotBeyondError where that names such a slot too.
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
    rpc.readElsewhere(preference);
    return readOnce();
  }
}
