import type { Keypair, PublicKey } from '@solana/web3.js';
import type { FeeTier } from '../../../domain/token-facts.ts';
import { deriveKeypair } from '../../keys/launch-keys.ts';

/** What the stand-in's keys are derived from. */
export interface StandInSecret {
  /** 32 bytes. */
  readonly seed: Uint8Array;
  readonly genesisHash: string;
}

/** The keys of the stand-in: one per pool, and one per state of a pool. */
export interface StandInKeys {
  /** Owns the pool's vaults; its address is the pool's address. */
  pool(baseMint: PublicKey, quoteMint: PublicKey, tier: FeeTier): Keypair;
  /**
   * The key that the pool account names while this is its state. It follows from the state's text, so the account
   * commits to every number of the state, and a swap signed for another state has the wrong key.
   */
  state(pool: PublicKey, stateText: string): Keypair;
}

/** Derives the stand-in's keys; two clusters never share one. */
export function createStandInKeys({ seed, genesisHash }: StandInSecret): StandInKeys {
  const context = { genesisHash, environment: 'local-exchange' };
  return {
    pool: (base, quote, tier) => deriveKeypair(seed, context, 'pool', `${base.toBase58()}/${quote.toBase58()}/${tier}`),
    state: (pool, text) => deriveKeypair(seed, context, 'state', `${pool.toBase58()}/${text}`),
  };
}
