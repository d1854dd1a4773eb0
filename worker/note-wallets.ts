import type { OwnWallet } from '../db/platform/wallet-manifest.ts';
import * as walletManifest from '../db/platform/wallet-manifest.ts';
import { restockWallet } from '../activities/restock/swap.ts';
import { retryStart, type StartRetry } from './retry-start.ts';
import type { Shared } from './shared.ts';

/** Publishes the wallets that this worker signs with, before it signs anything (`GET /platform/wallets`). */
export async function noteWallets(shared: Shared, retry: StartRetry): Promise<void> {
  const { db, rpc, signers, seeds, receiptKey } = shared;
  const { treasury, platform, rewards } = signers;
  const wallets: OwnWallet[] = [
    { role: 'treasury', address: treasury.publicKey.toBase58() },
    { role: 'platform', address: platform.publicKey.toBase58() },
    { role: 'rewards', address: rewards.publicKey.toBase58() },
    { role: 'receipts', address: receiptKey.address },
    ...seeds.map(({ id }) => ({ role: 'restock' as const, address: restockWallet(shared, id).publicKey.toBase58() })),
  ];
  await retryStart(
    'the list of own wallets',
    async () => walletManifest.noteOwn(db, wallets, BigInt((await rpc.head('finalized')).slot)),
    retry,
  );
}
