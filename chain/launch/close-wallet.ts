import {
  ACCOUNT_SIZE,
  createCloseAccountInstruction,
  createInitializeAccount3Instruction,
  NATIVE_MINT,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { type Connection, type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';

export const CLOSE_WALLET_COMPUTE_UNITS = 20_000;

/**
 * Moves the whole balance at execution to `to`; both must sign. After a fixed amount a stranger's lamports could leave
 * a rest below the rent minimum, which the chain refuses. So the wallet becomes a token account and is closed at once;
 * `to` lends the rent.
 */
export async function closeWallet(
  connection: Connection,
  wallet: PublicKey,
  to: PublicKey,
): Promise<TransactionInstruction[]> {
  const rentLamports = await connection.getMinimumBalanceForRentExemption(ACCOUNT_SIZE, 'confirmed');
  return closingOf(wallet, to, BigInt(rentLamports));
}

/** `lamports`: rent of {@link ACCOUNT_SIZE} bytes. */
export function closingOf(wallet: PublicKey, to: PublicKey, lamports: bigint): TransactionInstruction[] {
  return [
    SystemProgram.transfer({ fromPubkey: to, toPubkey: wallet, lamports }),
    SystemProgram.allocate({ accountPubkey: wallet, space: ACCOUNT_SIZE }),
    SystemProgram.assign({ accountPubkey: wallet, programId: TOKEN_PROGRAM_ID }),
    createInitializeAccount3Instruction(wallet, NATIVE_MINT, to),
    createCloseAccountInstruction(wallet, to, to),
  ];
}
