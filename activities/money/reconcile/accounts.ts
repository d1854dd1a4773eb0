import { getAssociatedTokenAddressSync, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { type AccountInfo, PublicKey } from '@solana/web3.js';
import type { AgreedAccount } from '../../../chain/rpc/agreed-accounts.ts';
import type { Rpc } from '../../../chain/rpc/rpc.ts';
import { alterationsOf } from '../../../chain/tokens/altered-account.ts';
import { balanceOfAccount, isFrozen } from '../../../chain/tokens/token-balance.ts';
import type { TokenBalance } from '../../../domain/token-balance.ts';

/** Byte offset in a mint (spl-token, state.rs); Token-2022 has the same. */
const SUPPLY = 36;

/** Of a wallet's associated account. */
export interface SeenAccount extends TokenBalance {
  /** See {@link alterationsOf}; empty for an account as the service opens it. */
  readonly alterations: readonly string[];
}

/** Undefined without a quorum. */
export interface Sight {
  account(owner: string, mint: string): SeenAccount | undefined;
  isFrozen(address: string): boolean | undefined;
  /** Raw units. */
  supply(mint: string): bigint | undefined;
}

export interface Wanted {
  readonly holders: readonly { readonly owner: string; readonly mint: string }[];
  /** Token accounts of others. */
  readonly accounts: readonly string[];
  readonly mints: readonly string[];
}

/** Reads balances, their states and supplies with one call per endpoint and hundred accounts. */
export async function see(rpc: Pick<Rpc, 'agreedAccounts'>, { holders, accounts, mints }: Wanted): Promise<Sight> {
  const own = holders.flatMap(({ owner, mint }) => accountsOf(owner, mint).map(({ address }) => address.toBase58()));
  const agreed = await rpc.agreedAccounts([...new Set([...own, ...accounts, ...mints])]);
  return {
    account: (owner, mint) => accountAt(agreed, owner, mint),
    isFrozen: (address) => readAt(agreed, address, (info) => info !== null && isFrozen(new PublicKey(address), info)),
    supply: (mint) =>
      readAt(agreed, mint, (info) => (info && info.data.length >= SUPPLY + 8 ? info.data.readBigUInt64LE(SUPPLY) : 0n)),
  };
}

/** A mint belongs to one program: at most one of both exists. */
function accountsOf(owner: string, mint: string) {
  return [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID].map((tokenProgram) => {
    const token = { mint: new PublicKey(mint), tokenProgram };
    const wallet = new PublicKey(owner);
    return { token, wallet, address: getAssociatedTokenAddressSync(token.mint, wallet, true, tokenProgram) };
  });
}

type Agreed = ReadonlyMap<string, AgreedAccount | null>;

function accountAt(agreed: Agreed, owner: string, mint: string): SeenAccount | undefined {
  const seen = accountsOf(owner, mint).map(({ token, wallet, address }) =>
    readAt(agreed, address.toBase58(), (info): SeenAccount => {
      const balance = balanceOfAccount(token, wallet, info);
      const isTokenAccount = info !== null && info.owner.equals(token.tokenProgram);
      return { ...balance, alterations: isTokenAccount ? alterationsOf(address, info) : [] };
    }),
  );
  if (seen.includes(undefined)) return undefined;
  return seen.find((account) => account?.state !== 'absent') ?? seen[0];
}

/** Undefined without a quorum. */
function readAt<T>(agreed: Agreed, address: string, read: (info: AccountInfo<Buffer> | null) => T): T | undefined {
  const account = agreed.get(address);
  if (account === undefined) return undefined;
  if (account === null) return read(null);
  const { lamports, owner, data } = account;
  return read({ lamports: Number(lamports), owner: new PublicKey(owner), data, executable: false });
}
