import type { PublicKey } from '@solana/web3.js';
import { unseen } from '../rpc/json-rpc.ts';
import type { Rpc } from '../rpc/rpc.ts';
import { readTokens } from '../tokens/token-info.ts';
import { transferTax } from './pool-math/transfer-fee.ts';
import type { Claimable, Exchange, PoolState } from './exchange.ts';
import type { TokenInfo } from '../tokens/token.ts';

export interface PositionChain {
  readonly rpc: Pick<Rpc, 'connection'>;
  readonly exchange: Exchange;
}

export interface PositionAddresses {
  readonly mint: PublicKey;
  readonly quoteMint: PublicKey;
  readonly pool: PublicKey;
  readonly feeKeyMint: PublicKey;
}

export interface PositionFees {
  readonly position: PositionAddresses;
  readonly state: PoolState;
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  /** Before the tax of transfers. */
  readonly claimable: Claimable;
  /** Null without a holder. */
  readonly holder: PublicKey | null;
}

/**
 * Reads a recorded position's fees at `confirmed`.
 *
 * @throws RpcUnavailableError if pool, position or mint is missing: the endpoint is behind, or a fork took the launch
 */
export async function readPositionFees(chain: PositionChain, position: PositionAddresses): Promise<PositionFees> {
  const { exchange, rpc } = chain;
  const { pool, feeKeyMint, mint, quoteMint } = position;
  const [state, locked, [base, quote]] = await Promise.all([
    exchange.readPool(pool),
    exchange.readLockedPosition(pool, feeKeyMint),
    readTokens(rpc.connection, [mint, quoteMint]),
  ]);
  if (!state || !locked || !base || !quote) {
    throw unseen(`pool ${pool.toBase58()}, its position or a mint of it`);
  }
  // On this state: after a trade, announced and collected amounts would differ.
  const claimable = await exchange.readClaimable(pool, feeKeyMint, state);
  return { position, state, base, quote, claimable, holder: locked.holder };
}

/** Returns what arrives in the claimant's accounts: the fees after the tax of the quote token's transfers. */
export function arrivingOf({ base, quote, claimable }: Pick<PositionFees, 'base' | 'quote' | 'claimable'>): Claimable {
  const { baseRaw, quoteRaw } = claimable;
  return {
    baseRaw: baseRaw - transferTax(base.transferFee, baseRaw),
    quoteRaw: quoteRaw - transferTax(quote.transferFee, quoteRaw),
  };
}

export function isEmpty({ baseRaw, quoteRaw }: Claimable): boolean {
  return baseRaw === 0n && quoteRaw === 0n;
}
