import { type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';

export interface AccountRequest {
  readonly payer: PublicKey;
  readonly account: PublicKey;
  /** Final balance. */
  readonly rentLamports: bigint;
  /** A stranger may have sent some; default false. */
  readonly mayHoldLamports?: boolean | undefined;
  readonly space: number;
  readonly programId: PublicKey;
}

/**
 * Builds three separate steps. `createAccount` fails at an address with lamports: a stranger's lamport would block it
 * for ever. The steps do not, and take 16 more bytes.
 */
export function openAccount(request: AccountRequest): TransactionInstruction[] {
  const { payer, account, rentLamports, mayHoldLamports = false, space, programId } = request;
  if (!mayHoldLamports) {
    const parties = { fromPubkey: payer, newAccountPubkey: account };
    return [SystemProgram.createAccount({ ...parties, lamports: Number(rentLamports), space, programId })];
  }
  return [
    // More may arrive, and a fork may remove them: send the full rent.
    SystemProgram.transfer({ fromPubkey: payer, toPubkey: account, lamports: rentLamports }),
    SystemProgram.allocate({ accountPubkey: account, space }),
    SystemProgram.assign({ accountPubkey: account, programId }),
  ];
}
