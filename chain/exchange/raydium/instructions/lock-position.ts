import { ASSOCIATED_TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { type PublicKey, SystemProgram, SYSVAR_RENT_PUBKEY, TransactionInstruction } from '@solana/web3.js';
import { METADATA_PROGRAM_ID, metadataAddress } from '../../../tokens/metaplex.ts';
import {
  feeKeyAccount,
  LOCK_AUTHORITY,
  lockedPositionAddress,
  personalPositionAddress,
  positionNftAccount,
} from '../addresses.ts';
import { instructionDiscriminator } from '../discriminators.ts';
import { bool } from '../encode.ts';
import { LOCK_PROGRAM_ID } from '../programs.ts';
import { readonly, signer, writable, writableSigner } from './accounts.ts';

export interface LockPositionRequest {
  readonly payer: PublicKey;
  /** Holds the position's NFT; must sign. */
  readonly owner: PublicKey;
  readonly positionMint: PublicKey;
  /** New mint; must sign. */
  readonly feeKeyMint: PublicKey;
  readonly feeKeyHolder: PublicKey;
  /** Costs rent and a fee. */
  readonly withMetadata: boolean;
}

export function lockPositionInstruction(request: LockPositionRequest): TransactionInstruction {
  const { payer, owner, positionMint, feeKeyMint, feeKeyHolder } = request;
  return new TransactionInstruction({
    programId: LOCK_PROGRAM_ID,
    keys: [
      readonly(LOCK_AUTHORITY),
      writableSigner(payer),
      signer(owner),
      readonly(feeKeyHolder),
      writable(positionNftAccount(positionMint, owner)),
      readonly(personalPositionAddress(positionMint)),
      readonly(positionMint),
      writable(positionNftAccount(positionMint, LOCK_AUTHORITY)),
      writable(lockedPositionAddress(feeKeyMint)),
      writableSigner(feeKeyMint),
      writable(feeKeyAccount(feeKeyMint, feeKeyHolder)),
      writable(metadataAddress(feeKeyMint)),
      readonly(METADATA_PROGRAM_ID),
      readonly(ASSOCIATED_TOKEN_PROGRAM_ID),
      readonly(SYSVAR_RENT_PUBKEY),
      readonly(TOKEN_PROGRAM_ID),
      readonly(TOKEN_2022_PROGRAM_ID),
      readonly(SystemProgram.programId),
    ],
    data: Buffer.concat([instructionDiscriminator('lock_clmm_position'), bool(request.withMetadata)]),
  });
}
