import {
  ExtensionType,
  getExtensionTypes,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  unpackMint,
} from '@solana/spl-token';
import type { AccountInfo, PublicKey } from '@solana/web3.js';
import { feeConfigProblem } from './transfer-fee.ts';

/** What a quote token must be known by. */
export interface QuoteMint {
  readonly decimals: number;
  /** SPL Token or Token-2022. */
  readonly tokenProgram: PublicKey;
}

/** A mint that no pool can be quoted in, and why. */
export class QuoteMintRefusedError extends Error {
  constructor(mint: PublicKey, reason: string) {
    super(`${mint.toBase58()} cannot be a quote token: ${reason}`);
    this.name = 'QuoteMintRefusedError';
  }
}

/** Extensions that Raydium's CLMM takes without a support-mint account (its `is_supported_mint`); anything else could block or drain a pool. */
const ACCEPTED: ReadonlySet<ExtensionType> = new Set([
  ExtensionType.TransferFeeConfig,
  ExtensionType.MetadataPointer,
  ExtensionType.TokenMetadata,
  ExtensionType.InterestBearingConfig,
  ExtensionType.ScaledUiAmountConfig,
]);

/**
 * Checks the account of a mint that is to be a quote token, when a pair is listed and again at prepare. Throws a
 * {@link QuoteMintRefusedError} when it is no mint, or has an extension such as a transfer hook or a permanent delegate, or a transfer fee beyond
 * `MAX_QUOTE_FEE_BPS`.
 */
export function checkQuoteMint(mint: PublicKey, account: AccountInfo<Buffer> | null): QuoteMint {
  if (!account) throw new QuoteMintRefusedError(mint, 'there is no such account');
  const tokenProgram = account.owner;
  if (!tokenProgram.equals(TOKEN_PROGRAM_ID) && !tokenProgram.equals(TOKEN_2022_PROGRAM_ID)) {
    throw new QuoteMintRefusedError(mint, `it belongs to program ${tokenProgram.toBase58()}, not to a token program`);
  }
  const unpacked = unpack(mint, account);
  const { decimals, isInitialized, tlvData } = unpacked;
  if (!isInitialized) throw new QuoteMintRefusedError(mint, 'it is not initialized');
  const refused = getExtensionTypes(tlvData).filter((type) => !ACCEPTED.has(type));
  if (refused.length > 0) {
    throw new QuoteMintRefusedError(
      mint,
      `it has the extension ${refused.map((type) => ExtensionType[type]).join(', ')}`,
    );
  }
  const feeProblem = feeConfigProblem(unpacked);
  if (feeProblem !== null) throw new QuoteMintRefusedError(mint, feeProblem);
  return { decimals, tokenProgram };
}

/** The same as a reason; null where it may be one. */
export function quoteMintRefusal(mint: PublicKey, account: AccountInfo<Buffer> | null): QuoteMintRefusedError | null {
  try {
    checkQuoteMint(mint, account);
    return null;
  } catch (error) {
    return error instanceof QuoteMintRefusedError ? error : new QuoteMintRefusedError(mint, 'it is not a mint');
  }
}

function unpack(mint: PublicKey, account: AccountInfo<Buffer>) {
  try {
    return unpackMint(mint, account, account.owner);
  } catch {
    throw new QuoteMintRefusedError(mint, 'it is not a mint');
  }
}
