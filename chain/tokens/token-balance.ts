import { getAssociatedTokenAddressSync, unpackAccount } from '@solana/spl-token';
import { type AccountInfo, type Connection, PublicKey } from '@solana/web3.js';
import { tokenBalance, type TokenBalance } from '../../domain/token-balance.ts';
import type { Rpc } from '../rpc/rpc.ts';
import type { TokenInfo } from './token.ts';

type Token = Pick<TokenInfo, 'mint' | 'tokenProgram'>;

/**
 * The balance that the data of a wallet's associated account shows. This is the one place where a token account becomes
 * an amount to spend.
 */
export function balanceOfAccount(token: Token, owner: PublicKey, info: AccountInfo<Buffer> | null): TokenBalance {
  // A stranger may send lamports to an address without an account.
  if (info === null || info.data.length === 0) return tokenBalance('absent', 0n);
  if (!info.owner.equals(token.tokenProgram)) return tokenBalance('foreign', 0n);
  const account = unpackAccount(addressOf(token, owner), info, token.tokenProgram);
  const isOwn = account.owner.equals(owner) && account.mint.equals(token.mint);
  if (!isOwn) return tokenBalance('foreign', account.amount);
  return tokenBalance(account.isFrozen ? 'frozen' : 'open', account.amount);
}

/** True if the mint's authority froze this token account, of any owner. */
export function isFrozen(address: PublicKey, info: AccountInfo<Buffer>): boolean {
  return unpackAccount(address, info, info.owner).isFrozen;
}

/** By one endpoint's word, at `confirmed`: for display, and where the chain or a quorum decides later. */
export async function readBalance(connection: Connection, token: Token, owner: PublicKey): Promise<TokenBalance> {
  return balanceOfAccount(token, owner, await connection.getAccountInfo(addressOf(token, owner), 'confirmed'));
}

/** Bounds of a balance at `confirmed`. They differ where endpoints do. */
export interface BalanceBounds {
  /** At least so many by a quorum: one endpoint cannot make more appear to be there to give away. */
  readonly least: TokenBalance;
  /** At most so many by a quorum: one endpoint cannot make tokens appear missing. */
  readonly most: TokenBalance;
}

/** @throws RpcUnavailableError without a quorum */
export async function readBalanceBounds(
  rpc: Pick<Rpc, 'accountsByEndpoint'>,
  token: Token,
  owner: PublicKey,
): Promise<BalanceBounds> {
  const address = addressOf(token, owner).toBase58();
  const said = await rpc.accountsByEndpoint([address], 'confirmed');
  const balanceOf = (info: AccountInfo<Buffer> | null) => balanceOfAccount(token, owner, info);
  const state = said.agreed(address, (info) => balanceOf(info).state) ?? 'open';
  const [held, spendable] = [
    (info: AccountInfo<Buffer> | null) => balanceOf(info).heldRaw,
    (info: AccountInfo<Buffer> | null) => balanceOf(info).spendableRaw,
  ];
  return {
    least: { state, heldRaw: said.leastSeen(address, held), spendableRaw: said.leastSeen(address, spendable) },
    most: { state, heldRaw: said.mostSeen(address, held), spendableRaw: said.mostSeen(address, spendable) },
  };
}

function addressOf({ mint, tokenProgram }: Token, owner: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(mint, owner, true, tokenProgram);
}

/** base58 */
export interface ListedToken {
  readonly mint: string;
  readonly tokenProgram: string;
}

export function readPairBalance(connection: Connection, listed: ListedToken, owner: PublicKey): Promise<TokenBalance> {
  const token = { mint: new PublicKey(listed.mint), tokenProgram: new PublicKey(listed.tokenProgram) };
  return readBalance(connection, token, owner);
}
