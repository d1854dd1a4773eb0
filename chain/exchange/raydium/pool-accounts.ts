import type { PublicKey } from '@solana/web3.js';
import { sortsBefore } from '../opening.ts';
import { poolAddressOf, vaultAddress } from './addresses.ts';
import type { TokenInfo } from '../../tokens/token.ts';

export type PoolToken = Pick<TokenInfo, 'mint' | 'tokenProgram'>;

export interface PoolAccounts {
  readonly address: PublicKey;
  readonly ammConfig: PublicKey;
  readonly token0: PoolToken;
  readonly token1: PoolToken;
  readonly vault0: PublicKey;
  readonly vault1: PublicKey;
  readonly tickSpacing: number;
}

/** Accepts either order. */
export function poolAccountsOf(ammConfig: PublicKey, tickSpacing: number, a: PoolToken, b: PoolToken): PoolAccounts {
  const [token0, token1] = sortsBefore(a.mint, b.mint) ? [a, b] : [b, a];
  const address = poolAddressOf(ammConfig, token0.mint, token1.mint);
  const [vault0, vault1] = [vaultAddress(address, token0.mint), vaultAddress(address, token1.mint)];
  return { address, ammConfig, token0, token1, vault0, vault1, tickSpacing };
}
