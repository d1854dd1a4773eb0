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

/** Multisignatures of token programs are told by their length alone. */
const MULTISIG_BYTES = 355;
const ACCOUNT_TYPE_MINT = 1;

/** A classic account has no extensions. */
function isTokenAccount({ owner, data }: Account): boolean {
  if (!isTokenProgram(owner) || !isTokenAccountData(data)) return false;
  return data.length === TOKEN_ACCOUNT_BYTES || (owner === TOKEN_2022_PROGRAM && data.length !== MULTISIG_BYTES);
}

function isMintOf(program: Address, { owner, data }: Account): boolean {
  if (owner !== program) return false;
  if (data.length === MINT_BYTES) return true;
  const isExtended = data.length > TOKEN_ACCOUNT_BYTES && data.length !== MULTISIG_BYTES;
  return owner === TOKEN_2022_PROGRAM && isExtended && data[TOKEN_ACCOUNT_BYTES] === ACCOUNT_TYPE_MINT;
}

/** A transaction's accounts at one moment. */
export interface LoadedAccounts {
  readonly keys: readonly Address[];
  /** Indexes of programs that instructions call. */
  readonly invoked: ReadonlySet<number>;
  /** In the order of the keys. */
  readonly accounts: readonly (Account | null)[];
}

/**
 * Lists what a validator lists (Agave, svm/src/transaction_balances.rs): nothing where no token program is among the
 * keys, and accounts whose mint belongs to their own program.
 */
export function tokenBalances(
  { keys, invoked, accounts }: LoadedAccounts,
  readMint: (mint: Address) => Account | null,
): TokenBalance[] {
  if (!keys.some(isTokenProgram)) return [];
  const balances: TokenBalance[] = [];
  for (const [accountIndex, account] of accounts.entries()) {
    if (!account || invoked.has(accountIndex) || !isTokenAccount(account)) continue;
    const reader = new ByteReader(account.data);
    const mint = toBase58(reader.take(32));
    const owner = toBase58(reader.take(32));
    const minted = readMint(mint);
    const decimals = minted && isMintOf(account.owner, minted) ? mintDecimals(minted) : null;
    if (decimals === null) continue;
    balances.push({ accountIndex, mint, owner, programId: account.owner, amount: reader.u64(), decimals });
  }
  return balances;
}
