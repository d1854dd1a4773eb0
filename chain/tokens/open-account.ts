import { type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';

/** An account to be made at the address of a key that signs. */
export interface AccountRequest {
  readonly payer: PublicKey;
  readonly account: PublicKey;
  /** Lamports it must hold in the end. */
  readonly rentLamports: bigint;
  /** Whether lamports may lie there already, because a stranger sent them; default false. */
  readonly mayHoldLamports?: boolean | undefined;
  readonly space: number;
  readonly programId: PublicKey;
}

/**
 * Makes a program's account that can exist only once. `createAccount` is the shortest way but fails where lamports lie at
 * the address, so a single lamport from a stranger would keep the account from ever existing; the three steps it is made of
 * do not mind, and take 16 bytes more.
 */
export function openAccount(request: AccountRequest): TransactionInstruction[] {
  const { payer, account, rentLamports, mayHoldLamports = false, space, programId } = request;
  if (!mayHoldLamports) {
    const parties = { fromPubkey: payer, newAccountPubkey: account };
    return [SystemProgram.createAccount({ ...parties, lamports: Number(rentLamports), space, programId })];
  }
  return [
    // All of it, whatever lies there now: more may come, and a fork may take away what came.
    SystemProgram.transfer({ fromPubkey: payer, toPubkey: account, lamports: rentLamports }),
    SystemProgram.allocate({ accountPubkey: account, space }),
    SystemProgram.assign({ accountPubkey: account, programId }),
  ];
}
