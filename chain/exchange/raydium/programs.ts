import { PublicKey } from '@solana/web3.js';

/** Raydium's concentrated liquidity program. */
export const CLMM_PROGRAM_ID = new PublicKey('CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK');

/** Raydium's liquidity locking program. */
export const LOCK_PROGRAM_ID = new PublicKey('LockrWmn6K5twhz3y9w1dQERbmgSaRkfnTeTKbpofwE');
