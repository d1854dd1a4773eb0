import type { PublicKey, TransactionInstruction } from '@solana/web3.js';

export interface SwapOrder {
  readonly inputMint: PublicKey;
  readonly outputMint: PublicKey;
  readonly inputRaw: bigint;
  /** Maximum shortfall of the fill. */
  readonly slippageBps: number;
}

export interface SwapOffer {
  readonly outputRaw: bigint;
  /** As reported, rounded up. */
  readonly impactBps: number;
  readonly answer: string;
}

/** Untrusted instructions: see {@link assertHarmless}. */
export interface SwapInstructions {
  readonly instructions: readonly TransactionInstruction[];
  readonly lookupTables: readonly PublicKey[];
}

export interface SwapAggregator {
  /** Rejects without a route or response. */
  offer(order: SwapOrder): Promise<SwapOffer>;
  /** `wallet` pays, receives and is the only signer. */
  instructions(offer: SwapOffer, wallet: PublicKey): Promise<SwapInstructions>;
}
