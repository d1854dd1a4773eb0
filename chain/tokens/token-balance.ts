import { getAssociatedTokenAddressSync, unpackAccount } from '@solana/spl-token';
import { type AccountInfo, type Connection, PublicKey } from '@solana/web3.js';
import type { Rpc } from '../rpc/rpc.ts';
import type { TokenInfo } from './token.ts';

export async function tokenBalance(connection: Connection, token: TokenInfo, owner: PublicKey): Promise<bigint> {
  const account = getAssociatedTokenAddressSync(token.mint, owner, true, token.tokenProgram);
  return amountIn(token, account, await connection.getAccountInfo(account, 'confirmed'));
}

/** Bounds of a balance, raw, at `confirmed`. They differ where endpoints do. */
export interface TokenBounds {
  /** At least so many by a quorum: one endpoint cannot make more appear to be there to give away. */
  readonly leastRaw: bigint;
  /** At most so many by a quorum: one endpoint cannot make tokens appear missing. */
  readonly mostRaw: bigint;
}

/** @throws RpcUnavailableError without a quorum */
export async function tokenBounds(
  rpc: Pick<Rpc, 'accountsByEndpoint'>,
  token: Pick<TokenInfo, 'mint' | 'tokenProgram'>,
  owner: PublicKey,
): Promise<TokenBounds> {
  const account = getAssociatedTokenAddressSync(token.mint, owner, true, token.tokenProgram);
  const said = await rpc.accountsByEndpoint([account.toBase58()], 'confirmed');
  const amountOf = (info: AccountInfo<Buffer> | null) => amountIn(token, account, info);
  const [leastRaw, mostRaw] = [
    said.leastSeen(account.toBase58(), amountOf),
    said.mostSeen(account.toBase58(), amountOf),
  ];
  return { leastRaw, mostRaw };
}

/** Returns the amount; 0 without a token account (a stranger may send lamports). */
export function amountIn(
  { tokenProgram }: Pick<TokenInfo, 'tokenProgram'>,
  address: PublicKey,
  account: AccountInfo<Buffer> | null,
): bigint {
  return account?.owner.equals(tokenProgram) ? unpackAccount(address, account, tokenProgram).amount : 0n;
}

/** base58 */
export interface ListedToken {
  readonly mint: string;
  readonly decimals: number;
  readonly tokenProgram: string;
}

export function pairBalance(connection: Connection, listed: ListedToken, owner: PublicKey): Promise<bigint> {
  const { mint, decimals, tokenProgram } = listed;
  return tokenBalance(
    connection,
    { mint: new PublicKey(mint), decimals, tokenProgram: new PublicKey(tokenProgram) },
    owner,
  );
}
