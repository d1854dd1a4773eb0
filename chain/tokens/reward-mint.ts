import {
  AuthorityType,
  createAssociatedTokenAccountInstruction,
  createInitializeMetadataPointerInstruction,
  createInitializeMint2Instruction,
  createInitializeTransferFeeConfigInstruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  ExtensionType,
  getAccountLen,
  getAssociatedTokenAddressSync,
  getMintLen,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { createInitializeInstruction, createUpdateAuthorityInstruction, pack } from '@solana/spl-token-metadata';
import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { type RewardTaxBps, TOKEN_DECIMALS, TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import { openAccount } from './open-account.ts';
import type { MintRequest } from './standard-mint.ts';
import type { TokenMetadata } from './token-metadata.ts';

/** `rentLamports`: of {@link rewardMintBytes} bytes. */
export interface RewardMintRequest extends MintRequest {
  /** Withdraws tax for ever; the tax never changes. */
  readonly rewardsAuthority: PublicKey;
  readonly taxBps: RewardTaxBps;
  readonly metadata: TokenMetadata;
}

/** Associated. */
export const REWARD_TOKEN_ACCOUNT_BYTES = getAccountLen([
  ExtensionType.TransferFeeAmount,
  ExtensionType.ImmutableOwner,
]);

/** The same share of any amount. */
const NO_MAXIMUM_FEE = 2n ** 64n - 1n;
const FIXED_EXTENSIONS = [ExtensionType.TransferFeeConfig, ExtensionType.MetadataPointer];

/**
 * `InitializeMint2` refuses a longer account and the metadata is appended; the account must be rent-exempt for it
 * already.
 */
const BYTES_WITHOUT_METADATA = getMintLen(FIXED_EXTENSIONS);

export function rewardMintBytes(metadata: TokenMetadata): number {
  const packed = pack({ ...metadata, mint: PublicKey.default, additionalMetadata: [] });
  return getMintLen(FIXED_EXTENSIONS, { [ExtensionType.TokenMetadata]: packed.length });
}

/**
 * Mints the whole supply into the launch wallet's account. Afterwards no key can change tax, metadata, pointer, mint or
 * freeze. Launch wallet and mint must sign.
 */
export function rewardMintInstructions(request: RewardMintRequest): TransactionInstruction[] {
  return [...openMint(request), ...writeMetadata(request), ...mintSupply(request)];
}

function openMint(request: RewardMintRequest): TransactionInstruction[] {
  const { mint, launchWallet, rewardsAuthority, taxBps, rentLamports, mayHoldLamports } = request;
  const program = TOKEN_2022_PROGRAM_ID;
  return [
    ...openAccount({
      payer: launchWallet,
      account: mint,
      rentLamports,
      mayHoldLamports,
      space: BYTES_WITHOUT_METADATA,
      programId: program,
    }),
    createInitializeTransferFeeConfigInstruction(mint, null, rewardsAuthority, taxBps, NO_MAXIMUM_FEE, program),
    createInitializeMetadataPointerInstruction(mint, null, mint, program),
    createInitializeMint2Instruction(mint, TOKEN_DECIMALS, launchWallet, null, program),
  ];
}

/** Initialises with an update authority, as the program wants, and removes it right after. */
function writeMetadata({ mint, launchWallet, metadata }: RewardMintRequest) {
  const programId = TOKEN_2022_PROGRAM_ID;
  const parties = { metadata: mint, mint, mintAuthority: launchWallet, updateAuthority: launchWallet };
  return [
    createInitializeInstruction({ programId, ...parties, ...metadata }),
    createUpdateAuthorityInstruction({ programId, metadata: mint, oldAuthority: launchWallet, newAuthority: null }),
  ];
}

function mintSupply({ mint, launchWallet }: RewardMintRequest) {
  const program = TOKEN_2022_PROGRAM_ID;
  const account = getAssociatedTokenAddressSync(mint, launchWallet, false, program);
  return [
    createAssociatedTokenAccountInstruction(launchWallet, account, launchWallet, mint, program),
    createMintToInstruction(mint, account, launchWallet, TOTAL_SUPPLY_RAW, [], program),
    createSetAuthorityInstruction(mint, launchWallet, AuthorityType.MintTokens, null, [], program),
  ];
}
