import { type Connection, SolanaJSONRPCError } from '@solana/web3.js';

/** JSON-RPC error without a block for a slot (yet): another node behind the address named it. */
const BLOCK_NOT_AVAILABLE = -32004;

/** Returns Unix seconds; null if the node lacks time or block. */
export async function newestBlockTime(connection: Connection): Promise<number | null> {
  const slot = await connection.getSlot('confirmed');
  try {
    return await connection.getBlockTime(slot);
  } catch (error) {
    if (error instanceof SolanaJSONRPCError && error.code === BLOCK_NOT_AVAILABLE) return null;
    throw error;
  }
}
