import { getAssociatedTokenAddressSync, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import type { AgreedAccount } from '../../../chain/rpc/agreed-accounts.ts';
import type { Rpc } from '../../../chain/rpc/rpc.ts';

/** Offset of the amount in a token account, and of the supply in a mint (spl-token, state.rs); Token-2022 begins the same way. */
const [AMOUNT, SUPPLY] = [64, 36];

/** Accounts as a quorum has them; undefined where there is none. */
export interface Sight {
  /** Raw units that a wallet holds of a token in its associated accounts. */
  held(owner: string, mint: string): bigint | undefined;
  /** Raw units that there are of a token. */
  supply(mint: string): bigint | undefined;
  lamports(address: string): bigint | undefined;
}

/** What is to be seen. */
export interface Wanted {
  readonly holders: readonly { readonly owner: string; readonly mint: string }[];
  readonly mints: readonly string[];
  readonly wallets: readonly string[];
}

/** Reads all of it together: a call to each endpoint for each hundred accounts. */
export async function see(rpc: Rpc, { holders, mints, wallets }: Wanted): Promise<Sight> {
  const accounts = holders.flatMap(({ owner, mint }) => accountsOf(owner, mint));
  const agreed = await rpc.agreedAccounts([...accounts, ...mints, ...wallets]);
  return {
    held: (owner, mint) => sum(accountsOf(owner, mint).map((address) => numberAt(agreed, address, AMOUNT))),
    supply: (mint) => numberAt(agreed, mint, SUPPLY),
    lamports: (address) => (agreed.has(address) ? (agreed.get(address)?.lamports ?? 0n) : undefined),
  };
}

/** A mint belongs to one of the programs, so at most one of the two exists. */
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
