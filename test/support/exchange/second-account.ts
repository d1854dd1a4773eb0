import { createInitializeAccount3Instruction, ExtensionType, getAccountLen } from '@solana/spl-token';
import { type Connection, Keypair, type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import type { TokenInfo } from '../../../chain/tokens/token.ts';
import { transferInstruction } from './test-chain.ts';

interface SecondAccount {
  /** Has to sign. */
  readonly key: Keypair;
  readonly instructions: TransactionInstruction[];
}

/** Opens an account beside an owner's associated one, and moves raw units there out of one of the authority's. */
export async function secondAccount(
  connection: Connection,
  token: TokenInfo,
  payer: PublicKey,
  owner: PublicKey,
  { from, authority, raw }: { readonly from: PublicKey; readonly authority: PublicKey; readonly raw: bigint },
): Promise<SecondAccount> {
  const key = Keypair.generate();
  const { tokenProgram: programId, mint, transferFee } = token;
  const space = getAccountLen(transferFee ? [ExtensionType.TransferFeeAmount] : []);
  const lamports = await connection.getMinimumBalanceForRentExemption(space);
  const [fromPubkey, newAccountPubkey] = [payer, key.publicKey];
  return {
    key,
    instructions: [
      SystemProgram.createAccount({ fromPubkey, newAccountPubkey, lamports, space, programId }),
      createInitializeAccount3Instruction(newAccountPubkey, mint, owner, programId),
      transferInstruction(token, from, newAccountPubkey, authority, raw),
    ],
  };
}
