import {
  ACCOUNT_SIZE,
  AuthorityType,
  createAssociatedTokenAccountIdempotentInstruction,
  createAssociatedTokenAccountInstruction,
  createBurnInstruction,
  createCloseAccountInstruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  getAssociatedTokenAddressSync,
  MINT_SIZE,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { feeModelOf } from '../../domain/fee-models.ts';
import { memoInstruction } from '../../chain/transactions/memo.ts';
import type { InstructionGroup, LaunchPoolRequest } from '../../chain/exchange/exchange.ts';
import { devBuyOutcome } from '../../chain/exchange/dev-buy.ts';
import { depositOf, launchTransferFee } from '../../chain/exchange/opening.ts';
import { grossOfNet, type SwapOutcome } from '../../chain/exchange/pool-math.ts';
import {
  accountOf,
  createAccountOnce,
  POSITION_UNITS,
  rentExemptLamports,
  tokenAccountRent,
  transfer,
} from './instructions.ts';
import type { StandInKeys } from './keys.ts';
import { afterSwap, type StandInState, openingState } from './state.ts';
import { encodeState } from './state-text.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

// Measured: at most 68,000 and 36,000.
const POOL_COMPUTE_UNITS = 200_000;
const LOCK_COMPUTE_UNITS = 120_000;

/** Rent with the position account's float, lamports. */
export function launchRent(request: LaunchPoolRequest): bigint {
  const mints = 3 * rentExemptLamports(MINT_SIZE);
  const nftAccounts = 3 * rentExemptLamports(ACCOUNT_SIZE);
  return BigInt(mints + nftAccounts + tokenAccountRent(taxedBase(request)) + tokenAccountRent(request.quote));
}

/**
 * The pool account is a mint whose two units are the positions; no more can be minted. The freeze authority names the
 * current state.
 */
export function buildPool(keys: StandInKeys, request: LaunchPoolRequest): InstructionGroup {
  const tier = feeModelOf(request.fee).poolFeeTier;
  const pool = keys.pool(request.base.mint, request.quote.mint, tier);
  const opening = openingState(request.plan, tier, feeKeyMintsOf(request));
  const outcome = request.devBuy ? devBuyOutcome(request.plan, request.devBuy.tokensOutRaw) : null;
  const state = outcome ? firstTrade(opening, outcome) : opening;
  const text = encodeState(state);
  return {
    instructions: [
      ...createPoolAccount(request, pool.publicKey, keys.state(pool.publicKey, text).publicKey),
      ...depositSupply(request, pool.publicKey),
      ...(outcome ? devBuyTransfers(request, pool.publicKey, outcome) : []),
      memoInstruction(text),
    ],
    signers: [pool],
    computeUnits: POOL_COMPUTE_UNITS,
    lookupAddresses: [request.quote.mint],
  };
}

/** Burns both units: nothing can be withdrawn. Creates the Fee Keys. */
export function buildLocks(keys: StandInKeys, request: LaunchPoolRequest): InstructionGroup {
  const { launchWallet, feeKeyHolders } = request;
  const tier = feeModelOf(request.fee).poolFeeTier;
  const pool = keys.pool(request.base.mint, request.quote.mint, tier).publicKey;
  const units = getAssociatedTokenAddressSync(pool, launchWallet, true);
  const feeKeys = feeKeyMintsOf(request).map((mint, index) => {
    const holder = feeKeyHolders[index];
    if (!holder) throw new Error(`Fee Key ${mint.toBase58()} has no holder`);
    return createFeeKey(launchWallet, mint, holder);
  });
  return {
    instructions: [
      createBurnInstruction(units, pool, launchWallet, POSITION_UNITS),
      createCloseAccountInstruction(units, launchWallet, launchWallet),
      ...feeKeys.flat(),
    ],
    signers: [],
    computeUnits: LOCK_COMPUTE_UNITS,
    lookupAddresses: [],
  };
}

function feeKeyMintsOf(request: LaunchPoolRequest): [PublicKey, PublicKey] {
  const [first, second] = request.addresses.feeKeyMints;
  return [new PublicKey(first), new PublicKey(second)];
}

function taxedBase(request: LaunchPoolRequest): TokenInfo {
  return { ...request.base, transferFee: launchTransferFee(request.fee) };
}

function firstTrade(opening: StandInState, outcome: SwapOutcome): StandInState {
  return { ...afterSwap(opening, outcome, !opening.baseIsToken0), sequence: opening.sequence };
}

function createPoolAccount(request: LaunchPoolRequest, pool: PublicKey, stateKey: PublicKey): TransactionInstruction[] {
  const { launchWallet, base, quote } = request;
  const units = getAssociatedTokenAddressSync(pool, launchWallet, true);
  const vault = ({ mint, tokenProgram }: TokenInfo) =>
    createAssociatedTokenAccountIdempotentInstruction(
      launchWallet,
      getAssociatedTokenAddressSync(mint, pool, true, tokenProgram),
      pool,
      mint,
      tokenProgram,
    );
  return [
    ...createAccountOnce(launchWallet, pool, MINT_SIZE, TOKEN_PROGRAM_ID),
    createInitializeMint2Instruction(pool, 0, pool, stateKey),
    createAssociatedTokenAccountInstruction(launchWallet, units, launchWallet, pool),
    createMintToInstruction(pool, units, pool, POSITION_UNITS),
    createSetAuthorityInstruction(pool, pool, AuthorityType.MintTokens, null),
    vault(base),
    vault(quote),
  ];
}

function depositSupply(request: LaunchPoolRequest, pool: PublicKey): TransactionInstruction[] {
  const base = taxedBase(request);
  const net = request.plan.positions.reduce((sum, { liquidity }) => sum + depositOf(request.plan, liquidity), 0n);
  const gross = grossOfNet(base.transferFee, net);
  const from = accountOf(base, request.launchWallet);
  return [transfer(base, from, accountOf(base, pool), request.launchWallet, gross)];
}

function devBuyTransfers(request: LaunchPoolRequest, pool: PublicKey, outcome: SwapOutcome): TransactionInstruction[] {
  const { devBuy, base, quote, launchWallet } = request;
  if (!devBuy) return [];
  const paid = grossOfNet(quote.transferFee, outcome.amountIn);
  if (paid > devBuy.maxQuoteInRaw) {
    throw new RangeError(`the dev buy takes ${paid} raw quote units, at most ${devBuy.maxQuoteInRaw} were agreed`);
  }
  return [
    transfer(quote, accountOf(quote, launchWallet), accountOf(quote, pool), launchWallet, paid),
    transfer(base, accountOf(base, pool), devBuy.recipientTokenAccount, pool, outcome.amountOut),
  ];
}

/** One unit, no decimals, no authority. */
function createFeeKey(payer: PublicKey, mint: PublicKey, holder: PublicKey): TransactionInstruction[] {
  const account = getAssociatedTokenAddressSync(mint, holder, true);
  return [
    ...createAccountOnce(payer, mint, MINT_SIZE, TOKEN_PROGRAM_ID),
    createInitializeMint2Instruction(mint, 0, payer, null),
    createAssociatedTokenAccountInstruction(payer, account, holder, mint),
    createMintToInstruction(mint, account, payer, 1n),
    createSetAuthorityInstruction(mint, payer, AuthorityType.MintTokens, null),
  ];
}
