import {
  createAssociatedTokenAccountInstruction,
  createEnableRequiredMemoTransfersInstruction,
  createReallocateInstruction,
  ExtensionType,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { Keypair, LAMPORTS_PER_SOL, PublicKey, sendAndConfirmTransaction, Transaction } from '@solana/web3.js';
import { localWalletSeed } from '../../../dev/seed/addresses.ts';
import { eventually } from '../platform/eventually.ts';
import type { Platform } from '../platform/platform.ts';

/** The key of a holder of the seed by its rank: an ordinary wallet, not one of the labelled. */
export function holderKey(rank: number): Keypair {
  return Keypair.fromSeed(localWalletSeed(`holder ${rank}`));
}

/** Address of a wallet's associated account of a reward token. */
export function accountFor(mint: string, owner: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(new PublicKey(mint), owner, true, TOKEN_2022_PROGRAM_ID);
}

/** A recipient opens its account early and makes it refuse every transfer that comes without a memo. */
export async function demandMemos({ connection, chain }: Platform, mint: string, owner: Keypair): Promise<void> {
  const [wallet, program] = [owner.publicKey, TOKEN_2022_PROGRAM_ID];
  const account = accountFor(mint, wallet);
  chain.control.fund(wallet.toBase58(), BigInt(LAMPORTS_PER_SOL));
  await eventually(async () => (await connection.getBalance(wallet)) > 0 || null);
  const transaction = new Transaction().add(
    createAssociatedTokenAccountInstruction(wallet, account, wallet, new PublicKey(mint), program),
    createReallocateInstruction(account, wallet, [ExtensionType.MemoTransfer], wallet, [], program),
    createEnableRequiredMemoTransfersInstruction(account, wallet, [], program),
  );
  await sendAndConfirmTransaction(connection, transaction, [owner]);
}

/** A stranger puts lamports where recipients' accounts will be: opening such an account takes three instructions more. */
export function dust({ chain }: Platform, mint: string, owners: readonly string[]): void {
  for (const owner of owners) chain.control.fund(accountFor(mint, new PublicKey(owner)).toBase58(), 1_000_000n);
}
