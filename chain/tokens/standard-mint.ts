import {
  AuthorityType,
  createAssociatedTokenAccountInstruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  getAssociatedTokenAddressSync,
  MINT_SIZE,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import type { PublicKey, TransactionInstruction } from '@solana/web3.js';
import { TOKEN_DECIMALS, TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import { createMetadataInstruction } from './metaplex.ts';
import { openAccount } from './open-account.ts';
import type { TokenMetadata } from './token-metadata.ts';

export interface MintRequest {
  readonly mint: PublicKey;
  /** Pays rent, gets the supply. */
  readonly launchWallet: PublicKey;
  readonly rentLamports: bigint;
  /** A stranger may have sent some; default false. */
  readonly mayHoldLamports?: boolean | undefined;
}

/** `rentLamports`: of {@link STANDARD_MINT_BYTES} bytes. */
export interface StandardMintRequest extends MintRequest {
  /** Immutable; absent without the Metaplex program. */
  readonly metadata?: TokenMetadata | undefined;
}

export const STANDARD_MINT_BYTES = MINT_SIZE;

/**
 * Mints classic SPL, the whole supply into the launch wallet's account. Drops the mint authority; there is no freeze
 * authority. Launch wallet and mint must sign.
 */
export function standardMintInstructions(request: StandardMintRequest): TransactionInstruction[] {
  const { mint, launchWallet, metadata, rentLamports, mayHoldLamports } = request;
  const parties = { mint, mintAuthority: launchWallet, payer: launchWallet };
  const account = getAssociatedTokenAddressSync(mint, launchWallet);
  return [
    ...openAccount({
      payer: launchWallet,
      account: mint,
      rentLamports,
      mayHoldLamports,
      space: STANDARD_MINT_BYTES,
      programId: TOKEN_PROGRAM_ID,
    }),
    createInitializeMint2Instruction(mint, TOKEN_DECIMALS, launchWallet, null),
    ...(metadata ? [createMetadataInstruction({ ...parties, metadata })] : []),
    createAssociatedTokenAccountInstruction(launchWallet, account, launchWallet, mint),
    createMintToInstruction(mint, account, launchWallet, TOTAL_SUPPLY_RAW),
    createSetAuthorityInstruction(mint, launchWallet, AuthorityType.MintTokens, null),
  ];
}
