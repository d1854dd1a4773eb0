import { getAssociatedTokenAddressSync, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import type { AgreedAccount } from '../../../chain/rpc/agreed-accounts.ts';
import type { Rpc } from '../../../chain/rpc/rpc.ts';

/** Byte offsets in a token account and a mint (spl-token, state.rs); Token-2022 has the same. */
const [AMOUNT, SUPPLY] = [64, 36];

export interface Sight {
  /** Raw units in associated accounts. */
  held(owner: string, mint: string): bigint | undefined;
  /** Raw units. */
  supply(mint: string): bigint | undefined;
}

export interface Wanted {
  readonly holders: readonly { readonly owner: string; readonly mint: string }[];
  readonly mints: readonly string[];
}

/** Reads balances and supplies with one call per endpoint and hundred accounts. */
export async function see(rpc: Rpc, { holders, mints }: Wanted): Promise<Sight> {
  const accounts = holders.flatMap(({ owner, mint }) => accountsOf(owner, mint));
  const agreed = await rpc.agreedAccounts([...accounts, ...mints]);
  return {
    held: (owner, mint) => sum(accountsOf(owner, mint).map((address) => numberAt(agreed, address, AMOUNT))),
    supply: (mint) => numberAt(agreed, mint, SUPPLY),
  };
}

/** A mint belongs to one program: at most one of both exists. */
function accountsOf(owner: string, mint: string): string[] {
  return [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID].map((program) =>
    getAssociatedTokenAddressSync(new PublicKey(mint), new PublicKey(owner), true, program).toBase58(),
  );
}

function numberAt(agreed: ReadonlyMap<string, AgreedAccount | null>, address: string, at: number): bigint | undefined {
  const account = agreed.get(address);
  if (account === undefined) return undefined;
  return account === null || account.data.length < at + 8 ? 0n : account.data.readBigUInt64LE(at);
}

function sum(amounts: readonly (bigint | undefined)[]): bigint | undefined {
  return amounts.reduce(
    (total, amount) => (total === undefined || amount === undefined ? undefined : total + amount),
    0n,
  );
}
