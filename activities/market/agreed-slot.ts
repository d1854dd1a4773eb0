import { RpcUnavailableError } from '../../chain/rpc/json-rpc.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';

/** Slots by which an endpoint that keeps up may be ahead of a quorum: one minute. */
const SLACK = 150;

/** How far the chain is final by a quorum's word, asked once at most, where `account` (base58) was read at a slot that one endpoint named. */
export type AgreedSlot = (slot: number, account: string) => Promise<number>;

/**
 * To be made before that endpoint is asked. Nothing is noted beyond the answer, because no later reading would ever come as far. Where
 * too few endpoints answer to be a quorum, one's word is all there is. Rejects where a quorum has not nearly come to the slot, and has
 * reads go to another endpoint for a while.
 */
export function createAgreedSlot(rpc: Rpc): AgreedSlot {
  const preference = rpc.preference();
  let agreed: Promise<number | null> | undefined;
  return async (slot, account) => {
    if (rpc.quorum === 1) return slot;
    const said = await (agreed ??= finalizedSlot(rpc, account));
    if (said === null || slot <= said + SLACK) return said ?? slot;
    rpc.readElsewhere(preference);
    throw new Error(`one RPC endpoint is at slot ${slot}, a quorum at ${said}`);
  };
}

/** Null where fewer than a quorum answer. */
async function finalizedSlot(rpc: Rpc, account: string): Promise<number | null> {
  try {
    return (await rpc.agreedHead('finalized')).slot;
  } catch (error) {
    if (await hasQuorum(rpc, account)) throw error;
    return null;
  }
}

async function hasQuorum(rpc: Rpc, account: string): Promise<boolean> {
  try {
    await rpc.accountTestimonies([account]);
    return true;
  } catch (error) {
    if (error instanceof RpcUnavailableError) return false;
    throw error;
  }
}
