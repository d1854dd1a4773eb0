import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, PublicKey } from '@solana/web3.js';

const POLL_MS = 200;
const GIVE_UP_MS = 30_000;

export async function fundWithSol(connection: Connection, wallet: PublicKey, lamports: number): Promise<void> {
  const before = await connection.getBalance(wallet, 'confirmed');
  await connection.requestAirdrop(wallet, lamports);
  const deadline = Date.now() + GIVE_UP_MS;
  while ((await connection.getBalance(wallet, 'confirmed')) < before + lamports) {
    if (Date.now() > deadline) throw new Error(`the faucet did not fund ${wallet.toBase58()} within ${GIVE_UP_MS} ms`);
    await sleep(POLL_MS);
  }
}
