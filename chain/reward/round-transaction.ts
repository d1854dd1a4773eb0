import {
  createTransferCheckedInstruction,
  createWithdrawWithheldTokensFromAccountsInstruction,
  createWithdrawWithheldTokensFromMintInstruction,
} from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import type { Exchange, PoolState, TokenInfo } from '../exchange/exchange.ts';
import { createTokenAccount, TOKEN_ACCOUNT_COMPUTE_UNITS, tokenAccountOf } from '../tokens/associated-account.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import type { SignedTransaction } from '../transactions/compile.ts';
import { type PurposeFrame, signPurposed } from '../transactions/purposed.ts';

/** Withdrawing what one account withheld (measured: 1,200), with room. */
const SOURCE_COMPUTE_UNITS = 5_000;
const WITHDRAW_COMPUTE_UNITS = 20_000;

/**
 * Most accounts whose tax one transaction withdraws. The program takes more; with three signatures, the account that receives
 * and the memo of a round no more fit one packet.
 */
export const TAX_SOURCES_PER_TRANSACTION = 16;

/** Payer, pot and rewards authority sign a withdrawal; lamports of each signature. */
const [WITHDRAWAL_SIGNATURES, SIGNATURE_LAMPORTS] = [3n, 5_000n];

/** Network fee of withdrawing the tax of so many accounts, lamports, at micro-lamports per compute unit; rounded up. */
export function withdrawalLamports(sources: number, computeUnitPrice: bigint): bigint {
  const units = BigInt(TOKEN_ACCOUNT_COMPUTE_UNITS + WITHDRAW_COMPUTE_UNITS + sources * SOURCE_COMPUTE_UNITS);
  return WITHDRAWAL_SIGNATURES * SIGNATURE_LAMPORTS + (units * computeUnitPrice + 999_999n) / 1_000_000n;
}

/** Withheld tax to be withdrawn into the pot. */
export interface TaxRequest extends PurposeFrame {
  /** May withdraw it: the rewards authority of every reward mint. */
  readonly authority: TransactionSigner;
  readonly base: TokenInfo;
  /** Token accounts, or the mint itself alone. */
  readonly sources: readonly PublicKey[];
}

/** Withdraws withheld tax. What an account no longer withholds when it lands is not withdrawn, and does not make it fail. */
export function buildTaxWithdrawal(request: TaxRequest): Promise<SignedTransaction> {
  const { authority, base, wallet, sources, payer } = request;
  const { mint, tokenProgram } = base;
  const to = tokenAccountOf(base, wallet.publicKey);
  const isMint = sources.length === 1 && sources[0]?.equals(mint) === true;
  const withdraw = isMint
    ? createWithdrawWithheldTokensFromMintInstruction(mint, to, authority.publicKey, [], tokenProgram)
    : createWithdrawWithheldTokensFromAccountsInstruction(
        mint,
        to,
        authority.publicKey,
        [],
        [...sources],
        tokenProgram,
      );
  return signPurposed(request, {
    instructions: [createTokenAccount(payer.publicKey, base, wallet.publicKey), withdraw],
    signers: [authority],
    computeUnits: TOKEN_ACCOUNT_COMPUTE_UNITS + WITHDRAW_COMPUTE_UNITS + sources.length * SOURCE_COMPUTE_UNITS,
  });
}

/** Tokens of the rewards authority that belong into the pot. */
export interface ExcessRequest extends PurposeFrame {
  /** Holds them. */
  readonly authority: TransactionSigner;
  readonly base: TokenInfo;
  /** Raw units that are sent; the transfer is taxed as any other. */
  readonly amountRaw: bigint;
}

/** Sends tokens from the rewards authority's associated account to the pot's. */
export function buildExcessTransfer(request: ExcessRequest): Promise<SignedTransaction> {
  const { authority, base, wallet, payer, amountRaw } = request;
  const { mint, decimals, tokenProgram } = base;
  const [from, to] = [tokenAccountOf(base, authority.publicKey), tokenAccountOf(base, wallet.publicKey)];
  const owner = authority.publicKey;
  return signPurposed(request, {
    instructions: [
      createTokenAccount(payer.publicKey, base, wallet.publicKey),
      createTransferCheckedInstruction(from, mint, to, owner, amountRaw, decimals, [], tokenProgram),
    ],
    signers: [authority],
    computeUnits: TOKEN_ACCOUNT_COMPUTE_UNITS + WITHDRAW_COMPUTE_UNITS,
  });
}

/** Fees of the rewards authority's position, to be collected into the pot. */
export interface HarvestToPot extends PurposeFrame {
  readonly exchange: Exchange;
  readonly state: PoolState;
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly feeKeyMint: PublicKey;
  /** Holds the Fee Key. */
  readonly holder: TransactionSigner;
}

/** Collects the position's fees. */
export async function buildHarvestToPot(request: HarvestToPot): Promise<SignedTransaction> {
  const { exchange, state, base, quote, feeKeyMint, holder, wallet, payer } = request;
  const harvest = await exchange.buildHarvest({
    pool: state,
    base,
    quote,
    feeKeyMint,
    holder: holder.publicKey,
    baseAccount: tokenAccountOf(base, wallet.publicKey),
    quoteAccount: tokenAccountOf(quote, wallet.publicKey),
  });
  const accounts = [base, quote].map((token) => createTokenAccount(payer.publicKey, token, wallet.publicKey));
  return signPurposed(request, {
    instructions: [...accounts, ...harvest.instructions],
    signers: [holder, ...harvest.signers],
    computeUnits: accounts.length * TOKEN_ACCOUNT_COMPUTE_UNITS + harvest.computeUnits,
  });
}
