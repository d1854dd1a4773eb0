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

/** A reward mint to be created. `rentLamports` is the rent of {@link rewardMintBytes} bytes. */
export interface RewardMintRequest extends MintRequest {
  /** May withdraw the withheld tax, for ever; nobody may change the tax. */
  readonly rewardsAuthority: PublicKey;
  /** Tax on every transfer, in bps. */
  readonly taxBps: RewardTaxBps;
  readonly metadata: TokenMetadata;
}

/** Bytes of a token account of a reward mint that the associated token program opens. */
export const REWARD_TOKEN_ACCOUNT_BYTES = getAccountLen([
  ExtensionType.TransferFeeAmount,
  ExtensionType.ImmutableOwner,
]);

/** No cap: the tax is the same share of any amount. */
const NO_MAXIMUM_FEE = 2n ** 64n - 1n;
const FIXED_EXTENSIONS = [ExtensionType.TransferFeeConfig, ExtensionType.MetadataPointer];

/**
 * The account's size at its creation. The token program refuses a longer account at `InitializeMint2` and appends the
 * metadata itself, which then must be rent-exempt already.
 */
const BYTES_WITHOUT_METADATA = getMintLen(FIXED_EXTENSIONS);

/** Bytes of a reward mint's account with its metadata, for which rent must be paid. */
export function rewardMintBytes(metadata: TokenMetadata): number {
  const packed = pack({ ...metadata, mint: PublicKey.default, additionalMetadata: [] });
  return getMintLen(FIXED_EXTENSIONS, { [ExtensionType.TokenMetadata]: packed.length });
}

/**
 * A Token-2022 mint with a transfer tax and its own metadata, whole supply in the launch wallet's associated account.
 * Afterwards nobody can change the tax, the metadata or where it is found, mint or freeze. Launch wallet and mint sign.
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

/** Metadata cannot be initialised without an update authority: it is set to none right after. */
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
