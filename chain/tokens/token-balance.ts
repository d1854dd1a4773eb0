import { getAssociatedTokenAddressSync } from '@solana/spl-token';
import { type Connection, PublicKey } from '@solana/web3.js';
import type { TokenInfo } from '../exchange/exchange.ts';

/** Tokens in an owner's associated account, raw units at `confirmed`; 0 where there is no such account. */
export async function tokenBalance(connection: Connection, token: TokenInfo, owner: PublicKey): Promise<bigint> {
  const account = getAssociatedTokenAddressSync(token.mint, owner, true, token.tokenProgram);
  if ((await connection.getAccountInfo(account, 'confirmed')) === null) return 0n;
  return BigInt((await connection.getTokenAccountBalance(account, 'confirmed')).value.amount);
}

/** A listed quote token, its addresses in base58. */
export interface ListedToken {
  readonly mint: string;
  readonly decimals: number;
  readonly tokenProgram: string;
}

/** The same of a listed quote token. */
export function pairBalance(connection: Connection, listed: ListedToken, owner: PublicKey): Promise<bigint> {
  const { mint, decimals, tokenProgram } = listed;
  return tokenBalance(
    connection,
    { mint: new PublicKey(mint), decimals, tokenProgram: new PublicKey(tokenProgram) },
    owner,
  );
}
