import type { Platform } from './platform.ts';

/** Blocks until nothing that was signed so far can land, and until that is finalized: lifetime, margin and finality. */
const BLOCKS = 150 + 32 + 32 + 8;

/** Lets so much time pass on the chain that every transaction signed so far, and not in a block yet, is dead. */
export function letEverythingExpire({ chain }: Platform): void {
  chain.control.advanceSlots(BLOCKS);
}
