import { type AccountInfo, type Connection, PublicKey, type VersionedTransactionResponse } from '@solana/web3.js';

/** Balances of token accounts, raw units, as of one slot. */
export interface Balances {
  readonly slot: number;
  /** In the order asked for; 0 where there is no account. */
  readonly raw: readonly bigint[];
}

/** Layout of SPL Token's `Account` and of its Token-2022 successor: mint (32 bytes), owner (32), amount (u64). */
const AMOUNT_OFFSET = 64;

/** Reads balances of up to 100 token accounts with one call. */
export async function readBalances(
  connection: Connection,
  accounts: readonly string[],
  commitment: 'confirmed' | 'finalized',
): Promise<Balances> {
  const keys = accounts.map((account) => new PublicKey(account));
  const { value, context } = await connection.getMultipleAccountsInfoAndContext(keys, commitment);
  return { slot: context.slot, raw: keys.map((_, index) => balanceIn(value[index] ?? null)) };
}

/** The balance that a token account's data holds, raw units; 0 without an account. */
export function balanceIn(account: AccountInfo<Buffer> | null): bigint {
  return account && account.data.length >= AMOUNT_OFFSET + 8 ? account.data.readBigUInt64LE(AMOUNT_OFFSET) : 0n;
}

/** What a token account held before and after a landed transaction, raw units. */
export interface BalanceChange {
  readonly before: bigint;
  readonly after: bigint;
}

/** Reads it off the transaction; null where the transaction does not mention the account as one that holds tokens. */
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
  // An account that was made or closed by the transaction is absent on one side.
  return before === undefined && after === undefined
    ? null
    : { before: BigInt(before ?? 0), after: BigInt(after ?? 0) };
}
