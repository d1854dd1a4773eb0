import type { Keypair, PublicKey } from '@solana/web3.js';
import type { FeeTier } from '../../domain/token-facts.ts';
import { deriveKeypair } from '../../chain/keys/launch-keys.ts';

export interface StandInSecret {
  readonly seed: Uint8Array;
  readonly genesisHash: string;
}

export interface StandInKeys {
  /** Owns the vaults; its address is the pool's. */
  pool(baseMint: PublicKey, quoteMint: PublicKey, tier: FeeTier): Keypair;
  /**
   * Derives the key from the state's text: the account commits to every number, and a swap for another state has the
   * wrong key.
   */
  state(pool: PublicKey, stateText: string): Keypair;
}

/** Derives keys with the genesis hash: clusters never share a key. */
export function createStandInKeys({ seed, genesisHash }: StandInSecret): StandInKeys {
  const context = { genesisHash, environment: 'local-exchange' };
  return {
    pool: (base, quote, tier) => deriveKeypair(seed, context, 'pool', `${base.toBase58()}/${quote.toBase58()}/${tier}`),
    state: (pool, text) => deriveKeypair(seed, context, 'state', `${pool.toBase58()}/${text}`),
  };
}
