import { PublicKey } from '@solana/web3.js';

/** Concentrated liquidity. */
export const CLMM_PROGRAM_ID = new PublicKey('CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK');

/** Liquidity locking. */
export const LOCK_PROGRAM_ID = new PublicKey('LockrWmn6K5twhz3y9w1dQERbmgSaRkfnTeTKbpofwE');
