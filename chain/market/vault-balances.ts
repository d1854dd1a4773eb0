import { type AccountInfo, type Connection, PublicKey, type VersionedTransactionResponse } from '@solana/web3.js';

export interface Balances {
  readonly slot: number;
  /** In order; 0 without an account. */
  readonly raw: readonly bigint[];
}

/** `Account` of both programs: mint (32 bytes), owner (32), amount (u64). */
const AMOUNT_OFFSET = 64;

export async function readBalances(
  connection: Connection,
  accounts: readonly string[],
  commitment: 'confirmed' | 'finalized',
): Promise<Balances> {
  const keys = accounts.map((account) => new PublicKey(account));
  const { value, context } = await connection.getMultipleAccountsInfoAndContext(keys, commitment);
  return { slot: context.slot, raw: keys.map((_, index) => balanceIn(value[index] ?? null)) };
}

/** Returns the balance in raw units; 0 without an account. */
export function balanceIn(account: AccountInfo<Buffer> | null): bigint {
  return account && account.data.length >= AMOUNT_OFFSET + 8 ? account.data.readBigUInt64LE(AMOUNT_OFFSET) : 0n;
}

/** Balance before and after a transaction, raw. */
export interface BalanceChange {
  readonly before: bigint;
  readonly after: bigint;
}

/** Null if it lists no such token account. */
export function balanceChangeOf(response: VersionedTransactionResponse, account: string): BalanceChange | null {
  const { message } = response.transaction;
  const keys = message.getAccountKeys({ accountKeysFromLookups: response.meta?.loadedAddresses });
  const index = keys
    .keySegments()
    .flat()
    .findIndex((key) => key.toBase58() === account);
  const find = (balances: readonly { accountIndex: number; uiTokenAmount: { amount: string } }[] | null | undefined) =>
    balances?.find(({ accountIndex }) => accountIndex === index)?.uiTokenAmount.amount;
  const [before, after] = [find(response.meta?.preTokenBalances), find(response.meta?.postTokenBalances)];
  // The transaction created or closed the account.
  return before === undefined && after === undefined
    ? null
    : { before: BigInt(before ?? 0), after: BigInt(after ?? 0) };
}
