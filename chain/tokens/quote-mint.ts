import {
  ExtensionType,
  getExtensionTypes,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  unpackMint,
} from '@solana/spl-token';
import type { AccountInfo, PublicKey } from '@solana/web3.js';
import { MOST_QUOTE_DECIMALS } from '../../domain/token-facts.ts';
import { shownAmountsProblem } from './shown-amounts.ts';
import { feeConfigProblem } from './transfer-fee.ts';

export interface QuoteMint {
  readonly decimals: number;
  /** SPL Token or Token-2022. */
  readonly tokenProgram: PublicKey;
}

export class QuoteMintRefusedError extends Error {
  constructor(mint: PublicKey, reason: string) {
    super(`${mint.toBase58()} cannot be a quote token: ${reason}`);
    this.name = 'QuoteMintRefusedError';
  }
}

/** Accepted by Raydium without a support-mint account (`is_supported_mint`). Others could block or drain a pool. */
const ACCEPTED: ReadonlySet<ExtensionType> = new Set([
  ExtensionType.TransferFeeConfig,
  ExtensionType.MetadataPointer,
  ExtensionType.TokenMetadata,
  ExtensionType.InterestBearingConfig,
  ExtensionType.ScaledUiAmountConfig,
]);

/**
 * Checks a mint when a pair is listed and at prepare. Throws a {@link QuoteMintRefusedError} for no mint, an extension
 * such as a transfer hook or permanent delegate, a fee above `MAX_QUOTE_FEE_BPS`, or scaled amounts.
 */
export function checkQuoteMint(mint: PublicKey, account: AccountInfo<Buffer> | null): QuoteMint {
  if (!account) throw new QuoteMintRefusedError(mint, 'there is no such account');
  const tokenProgram = account.owner;
  if (!tokenProgram.equals(TOKEN_PROGRAM_ID) && !tokenProgram.equals(TOKEN_2022_PROGRAM_ID)) {
    throw new QuoteMintRefusedError(mint, `it belongs to program ${tokenProgram.toBase58()}, not to a token program`);
  }
  const unpacked = unpack(mint, account);
  const { decimals, isInitialized, tlvData } = unpacked;
  if (decimals > MOST_QUOTE_DECIMALS) {
    throw new QuoteMintRefusedError(mint, `it has ${decimals} decimals, at most ${MOST_QUOTE_DECIMALS} are possible`);
  }
  if (!isInitialized) throw new QuoteMintRefusedError(mint, 'it is not initialized');
  const refused = getExtensionTypes(tlvData).filter((type) => !ACCEPTED.has(type));
  if (refused.length > 0) {
    throw new QuoteMintRefusedError(
      mint,
      `it has the extension ${refused.map((type) => ExtensionType[type]).join(', ')}`,
    );
  }
  const problem = feeConfigProblem(unpacked) ?? shownAmountsProblem(unpacked);
  if (problem !== null) throw new QuoteMintRefusedError(mint, problem);
  return { decimals, tokenProgram };
}

/** Null if accepted. */
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
