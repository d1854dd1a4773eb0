import { createTransferCheckedInstruction, getAssociatedTokenAddressSync, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import type { Keypair, PublicKey } from '@solana/web3.js';
import type { Platform } from '../platform/platform.ts';
import { land, openAccount } from './claim-market.ts';

/** Moves a Fee Key into another wallet, as its sale does; the old holder pays. */
export async function giveFeeKey(platform: Platform, mint: PublicKey, from: Keypair, to: PublicKey): Promise<void> {
  const token = { mint, decimals: 0, tokenProgram: TOKEN_PROGRAM_ID };
  const [source, target] = [from.publicKey, to].map((owner) => getAssociatedTokenAddressSync(mint, owner, true));
  await land(platform, from, [
    openAccount(token, to, from),
    createTransferCheckedInstruction(source!, mint, target!, from.publicKey, 1n, 0),
  ]);
}
