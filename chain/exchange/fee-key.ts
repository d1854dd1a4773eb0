import { ACCOUNT_SIZE, AccountLayout, getAssociatedTokenAddressSync, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { type Connection, type PublicKey, SolanaJSONRPCError } from '@solana/web3.js';
import { RpcUnavailableError, unseen } from '../rpc/json-rpc.ts';

export interface FeeKeyHolder {
  readonly account: PublicKey;
  readonly owner: PublicKey;
}

/**
 * Null where the key is burned.
 *
 * @throws RpcUnavailableError if the mint, the holder or the holder's account is missing: the endpoint is behind
 */
export async function findFeeKeyHolder(connection: Connection, mint: PublicKey): Promise<FeeKeyHolder | null> {
  const { value } = await whereSeen(mint, connection.getTokenLargestAccounts(mint, 'confirmed'));
  const account = value.find(({ amount }) => amount === '1')?.address;
  if (!account) {
    const { value: supply } = await whereSeen(mint, connection.getTokenSupply(mint, 'confirmed'));
    if (supply.amount === '0') return null;
    throw unseen(`the holder of Fee Key ${mint.toBase58()}`);
  }
  const info = await connection.getAccountInfo(account, 'confirmed');
  if (info) return { account, owner: AccountLayout.decode(info.data).owner };
  throw unseen(`${account.toBase58()}, which holds a Fee Key`);
}

/** An endpoint that lacks the mint refuses. */
function whereSeen<T>(mint: PublicKey, reading: Promise<T>): Promise<T> {
  return reading.catch((cause: unknown) => {
    if (!(cause instanceof SolanaJSONRPCError)) throw cause;
    throw new RpcUnavailableError(`an RPC endpoint does not say who holds Fee Key ${mint.toBase58()}`, { cause });
  });
}

/**
 * The associated account, others only if it is empty; also if the wallet does not hold the key: the chain then refuses.
 */
export async function feeKeyAccountOf(connection: Connection, mint: PublicKey, holder: PublicKey): Promise<PublicKey> {
  const usual = getAssociatedTokenAddressSync(mint, holder, true, TOKEN_PROGRAM_ID);
  const info = await connection.getAccountInfo(usual, 'confirmed');
  if (info?.owner.equals(TOKEN_PROGRAM_ID) === true && info.data.length === ACCOUNT_SIZE) {
    const { amount, owner } = AccountLayout.decode(info.data);
    if (amount === 1n && owner.equals(holder)) return usual;
  }
  const found = await findFeeKeyHolder(connection, mint);
  return found?.owner.equals(holder) ? found.account : usual;
}
