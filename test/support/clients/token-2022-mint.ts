import {
  createInitializeMetadataPointerInstruction,
  createInitializeMint2Instruction,
  createInitializeTransferFeeConfigInstruction,
  ExtensionType,
  getMintLen,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { createInitializeInstruction, pack, type TokenMetadata } from '@solana/spl-token-metadata';
import { type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';

/** Instructions that create a Token-2022 mint with a 1 % transfer fee and its metadata in the mint account itself. */
export async function token2022MintInstructions(
  payer: PublicKey,
  mint: PublicKey,
  rentOf: (bytes: number) => Promise<number>,
): Promise<TransactionInstruction[]> {
  const program = TOKEN_2022_PROGRAM_ID;
  const names = { name: 'Slip', symbol: 'SLIP', uri: 'https://example.com/slip.json' };
  const metadata: TokenMetadata = { ...names, mint, updateAuthority: payer, additionalMetadata: [] };
  const space = getMintLen([ExtensionType.TransferFeeConfig, ExtensionType.MetadataPointer]);
  const lamports = await rentOf(space + 4 + pack(metadata).length);
  const account = { fromPubkey: payer, newAccountPubkey: mint, space, lamports, programId: program };
  const authority = { updateAuthority: payer, mintAuthority: payer };
  return [
    SystemProgram.createAccount(account),
    createInitializeTransferFeeConfigInstruction(mint, null, payer, 100, 1_000_000n, program),
    createInitializeMetadataPointerInstruction(mint, null, mint, program),
    createInitializeMint2Instruction(mint, 9, payer, null, program),
    createInitializeInstruction({ programId: program, metadata: mint, mint, ...authority, ...names }),
  ];
}
