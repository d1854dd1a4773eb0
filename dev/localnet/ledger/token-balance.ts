import { toBase58 } from '../encoding/base58.ts';
import { type Account, type Address, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './account.ts';
import { ByteReader } from './byte-reader.ts';

/** Extensions follow an account type byte. */
export const TOKEN_ACCOUNT_BYTES = 165;
export const MINT_BYTES = 82;
const ACCOUNT_TYPE_ACCOUNT = 2;

/** `amount` in raw units. */
export interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner: Address;
  readonly programId: Address;
  readonly amount: bigint;
  readonly decimals: number;
}

export function isTokenProgram(owner: Address): boolean {
  return owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM;
}

export function isTokenAccountData(data: Uint8Array): boolean {
  if (data.length < TOKEN_ACCOUNT_BYTES || data[108] === 0) return false;
  return data.length === TOKEN_ACCOUNT_BYTES || data[TOKEN_ACCOUNT_BYTES] === ACCOUNT_TYPE_ACCOUNT;
}

/** Null if no initialised mint. */
export function mintDecimals(account: Account | null): number | null {
  if (!account || !isTokenProgram(account.owner) || account.data.length < MINT_BYTES) return null;
  return account.data[45] === 1 ? (account.data[44] ?? null) : null;
}

export function tokenBalances(
  accounts: readonly (Account | null)[],
  readMint: (mint: Address) => Account | null,
): TokenBalance[] {
  const balances: TokenBalance[] = [];
  for (const [accountIndex, account] of accounts.entries()) {
    if (!account || !isTokenProgram(account.owner) || !isTokenAccountData(account.data)) continue;
    const reader = new ByteReader(account.data);
    const mint = toBase58(reader.take(32));
    const owner = toBase58(reader.take(32));
    const decimals = mintDecimals(readMint(mint));
    if (decimals === null) continue;
    balances.push({ accountIndex, mint, owner, programId: account.owner, amount: reader.u64(), decimals });
  }
  return balances;
}
