import type { PublicKey, TransactionInstruction } from '@solana/web3.js';

/** An exact-in swap to be offered. */
export interface SwapOrder {
  readonly inputMint: PublicKey;
  readonly outputMint: PublicKey;
  /** Raw units of the input. */
  readonly inputRaw: bigint;
  /** Most by which the fill may be worse than the offer. */
  readonly slippageBps: number;
}

/** What an aggregator would give for an order. */
export interface SwapOffer {
  /** Raw units of the output. */
  readonly outputRaw: bigint;
  /** By how much the order itself moves the price, in bps rounded up, as the aggregator says. */
  readonly impactBps: number;
  /** The aggregator's whole answer, which it wants back. */
  readonly answer: string;
}

/** How an offer is taken. Nothing of this is trusted: see {@link assertHarmless}. */
export interface SwapInstructions {
  /** In order: preparation, swap, clean-up. */
  readonly instructions: readonly TransactionInstruction[];
  /** Address of each lookup table that makes them fit one packet. */
  readonly lookupTables: readonly PublicKey[];
}

/** The port to a service that finds the best way from one token to another. */
export interface SwapAggregator {
  /** Rejects when there is no way, or the service does not answer. */
  offer(order: SwapOrder): Promise<SwapOffer>;
  /** Instructions of a swap in which `wallet` pays and receives, and is the only one that signs. */
  instructions(offer: SwapOffer, wallet: PublicKey): Promise<SwapInstructions>;
}
