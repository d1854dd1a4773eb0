import { getAssociatedTokenAddressSync, unpackAccount } from '@solana/spl-token';
import { type AccountInfo, type Connection, PublicKey } from '@solana/web3.js';
import type { TokenInfo } from '../exchange/exchange.ts';
import type { Rpc } from '../rpc/rpc.ts';

/** Tokens in an owner's associated account, raw units at `confirmed`; 0 where there is no such account. */
export async function tokenBalance(connection: Connection, token: TokenInfo, owner: PublicKey): Promise<bigint> {
  const account = getAssociatedTokenAddressSync(token.mint, owner, true, token.tokenProgram);
  return amountIn(token, account, await connection.getAccountInfo(account, 'confirmed'));
}

/**
 * The least amount in an owner's associated account, raw units at `confirmed`, of which a quorum of endpoints sees no more there: what is
 * missing by it is so by more than one endpoint's word. @throws RpcUnavailableError without a quorum.
 */
export async function mostTokens(
  rpc: Pick<Rpc, 'accountTestimonies'>,
  token: Pick<TokenInfo, 'mint' | 'tokenProgram'>,
  owner: PublicKey,
): Promise<bigint> {
  const account = getAssociatedTokenAddressSync(token.mint, owner, true, token.tokenProgram);
  const said = await rpc.accountTestimonies([account.toBase58()], 'confirmed');
  return said.mostSeen(account.toBase58(), (info) => amountIn(token, account, info));
}

/** Tokens in an account, raw units; 0 where no token account is there: anybody may send lamports to its address. */
export function amountIn(
  { tokenProgram }: Pick<TokenInfo, 'tokenProgram'>,
  address: PublicKey,
  account: AccountInfo<Buffer> | null,
): bigint {
  return account?.owner.equals(tokenProgram) ? unpackAccount(address, account, tokenProgram).amount : 0n;
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
