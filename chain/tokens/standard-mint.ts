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

/** A mint to be created and who pays for it. */
export interface MintRequest {
  readonly mint: PublicKey;
  /** Pays rent, receives the whole supply. */
  readonly launchWallet: PublicKey;
  /** Rent of the mint account in lamports. */
  readonly rentLamports: bigint;
  /** Whether a stranger may have sent lamports to the mint's address before; default false. */
  readonly mayHoldLamports?: boolean | undefined;
}

/** A classic mint to be created. `rentLamports` is the rent of {@link STANDARD_MINT_BYTES} bytes. */
export interface StandardMintRequest extends MintRequest {
  /** Immutable Metaplex metadata; absent on a cluster without that program. Costs `metadataCost` on top. */
  readonly metadata?: TokenMetadata | undefined;
}

/** Bytes of a classic SPL mint account. */
export const STANDARD_MINT_BYTES = MINT_SIZE;

/**
 * A classic SPL mint with its whole supply in the launch wallet's associated account and no authority left: mint
 * authority is dropped in the same transaction, a freeze authority never exists. Launch wallet and mint sign.
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
