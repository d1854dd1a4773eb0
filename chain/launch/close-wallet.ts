import {
  ACCOUNT_SIZE,
  createCloseAccountInstruction,
  createInitializeAccount3Instruction,
  NATIVE_MINT,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { type Connection, type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';

/** Upper bound of compute units for closing a wallet. */
export const CLOSE_WALLET_COMPUTE_UNITS = 20_000;

/**
 * Moves every lamport that a wallet holds when the transaction runs to `to`; both have to sign. A transfer names its
 * amount beforehand, and what a stranger adds in between would leave a rest below the rent minimum, with which the chain
 * refuses the whole transaction. Closing a token account names none: so the wallet becomes one and is closed at once.
 * `to` lends the rent of that account for the length of the transaction, so that a wallet of any balance will do.
 */
export async function closeWallet(
  connection: Connection,
  wallet: PublicKey,
  to: PublicKey,
): Promise<TransactionInstruction[]> {
  const rentLamports = await connection.getMinimumBalanceForRentExemption(ACCOUNT_SIZE, 'confirmed');
  return closingOf(wallet, to, BigInt(rentLamports));
}

/** The same with what a token account of {@link ACCOUNT_SIZE} bytes has to hold. */
export function closingOf(wallet: PublicKey, to: PublicKey, lamports: bigint): TransactionInstruction[] {
  return [
    SystemProgram.transfer({ fromPubkey: to, toPubkey: wallet, lamports }),
    SystemProgram.allocate({ accountPubkey: wallet, space: ACCOUNT_SIZE }),
    SystemProgram.assign({ accountPubkey: wallet, programId: TOKEN_PROGRAM_ID }),
    createInitializeAccount3Instruction(wallet, NATIVE_MINT, to),
    createCloseAccountInstruction(wallet, to, to),
  ];
}
