import { PublicKey } from '@solana/web3.js';
import { LIGHTHOUSE_PROGRAM_ID } from '../../../chain/transactions/wallet-changes.ts';
import { MEMO_PROGRAM_ID } from '../../../chain/transactions/memo.ts';
import type { Platform } from '../platform/platform.ts';

/** Lighthouse is not part of the local chain: a program that accepts any text stands at its address. */
export async function deployInPlaceOfLighthouse({ connection, chain }: Platform): Promise<void> {
  const memo = await connection.getAccountInfo(new PublicKey(MEMO_PROGRAM_ID));
  if (!memo) throw new Error('the local chain has no memo program');
  const { lamports, data, owner, executable } = memo;
  chain.control.setAccounts([
    [LIGHTHOUSE_PROGRAM_ID.toBase58(), { lamports: BigInt(lamports), data, owner: owner.toBase58(), executable }],
  ]);
}
