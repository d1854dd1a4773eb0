import type { Connection, PublicKey } from '@solana/web3.js';
import type { ChainControl } from '../../../dev/localnet/index.ts';

/** Byte of a token account that holds its state (spl-token, state.rs). */
const STATE_OFFSET = 108;
const [INITIALIZED, FROZEN] = [1, 2];

type Written = Parameters<ChainControl['setAccounts']>[0] extends Iterable<infer Entry> ? Entry : never;

/** The account as its issuer has frozen or thawed it: what `setAccounts` of the local chain takes. */
export async function withState(connection: Connection, account: PublicKey, isFrozen: boolean): Promise<Written> {
  const info = await connection.getAccountInfo(account, 'confirmed');
  if (!info) throw new Error(`there is no account ${account.toBase58()}`);
  const data = Buffer.from(info.data);
  data[STATE_OFFSET] = isFrozen ? FROZEN : INITIALIZED;
  return [
    account.toBase58(),
    { lamports: BigInt(info.lamports), data, owner: info.owner.toBase58(), executable: false },
  ];
}
