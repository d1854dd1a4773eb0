import type { PublicKey } from '@solana/web3.js';
import type { Rpc } from '../rpc/rpc.ts';
import { readTokens } from '../tokens/token-info.ts';
import type { Claimable, Exchange, PoolState, TokenInfo } from './exchange.ts';

/** What positions are read and their fees collected with. */
export interface PositionChain {
  readonly rpc: Pick<Rpc, 'connection'>;
  readonly exchange: Exchange;
}

/** A locked position whose fees are collected. */
export interface PositionAddresses {
  readonly mint: PublicKey;
  readonly quoteMint: PublicKey;
  readonly pool: PublicKey;
  readonly feeKeyMint: PublicKey;
}

/** A position as it stands: its pool, its tokens, what may be claimed and who may claim it. */
export interface PositionFees {
  readonly position: PositionAddresses;
  readonly state: PoolState;
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly claimable: Claimable;
  /** Present holder of the Fee Key; null where it lies in no account. */
  readonly holder: PublicKey | null;
}

/** Reads a position at `confirmed`. Throws when pool, position or a mint is not on the chain. */
export async function readPositionFees(chain: PositionChain, position: PositionAddresses): Promise<PositionFees> {
  const { exchange, rpc } = chain;
  const { pool, feeKeyMint, mint, quoteMint } = position;
  const [state, locked, [base, quote]] = await Promise.all([
    exchange.readPool(pool),
    exchange.readLockedPosition(pool, feeKeyMint),
    readTokens(rpc.connection, [mint, quoteMint]),
  ]);
  if (!state || !locked || !base || !quote) {
    throw new Error(`pool ${pool.toBase58()}, its position or a mint of it is not on the chain`);
  }
  // Of this very state: after a trade in between, what is announced would not be what the transaction collects.
  const claimable = await exchange.readClaimable(pool, feeKeyMint, state);
  return { position, state, base, quote, claimable, holder: locked.holder };
}

/** True where nothing would be collected. */
export function isEmpty({ baseRaw, quoteRaw }: Claimable): boolean {
  return baseRaw === 0n && quoteRaw === 0n;
}
