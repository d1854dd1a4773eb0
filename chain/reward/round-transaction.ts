import {
  createTransferCheckedInstruction,
  createWithdrawWithheldTokensFromAccountsInstruction,
  createWithdrawWithheldTokensFromMintInstruction,
} from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import type { Exchange, PoolState } from '../exchange/exchange.ts';
import { createTokenAccount, TOKEN_ACCOUNT_COMPUTE_UNITS, tokenAccountOf } from '../tokens/associated-account.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import type { SignedTransaction } from '../transactions/compile.ts';
import { type PurposeFrame, signPurposed } from '../transactions/purposed.ts';
import type { TokenInfo } from '../tokens/token.ts';

/** Measured: 1,200 an account. */
const SOURCE_COMPUTE_UNITS = 5_000;
const WITHDRAW_COMPUTE_UNITS = 20_000;

/** Three signatures, receiving account and memo fill the packet. */
export const TAX_SOURCES_PER_TRANSACTION = 16;

/** Payer, pot, rewards authority. */
const [WITHDRAWAL_SIGNATURES, SIGNATURE_LAMPORTS] = [3n, 5_000n];

/** Rounded up. */
export function withdrawalLamports(sources: number, computeUnitPrice: bigint): bigint {
  const units = BigInt(TOKEN_ACCOUNT_COMPUTE_UNITS + WITHDRAW_COMPUTE_UNITS + sources * SOURCE_COMPUTE_UNITS);
  return WITHDRAWAL_SIGNATURES * SIGNATURE_LAMPORTS + (units * computeUnitPrice + 999_999n) / 1_000_000n;
}

export interface TaxRequest extends PurposeFrame {
  /** May withdraw; the rewards authority of every reward mint. */
  readonly authority: TransactionSigner;
  readonly base: TokenInfo;
  /** Or only the mint. */
  readonly sources: readonly PublicKey[];
}

/** Succeeds even if an account withholds nothing at landing. */
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

export interface ExcessRequest extends PurposeFrame {
  readonly authority: TransactionSigner;
  readonly base: TokenInfo;
  /** Taxed. */
  readonly amountRaw: bigint;
}

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

export interface HarvestToPot extends PurposeFrame {
  readonly exchange: Exchange;
  readonly state: PoolState;
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly feeKeyMint: PublicKey;
  /** Holds the Fee Key. */
  readonly holder: TransactionSigner;
}

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
