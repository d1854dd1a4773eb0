import { getAssociatedTokenAddressSync } from '@solana/spl-token';
import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { feeModelOf } from '../../../domain/fee-models.ts';
import { devBuyOutcome } from '../dev-buy.ts';
import type { InstructionGroup, LaunchPoolRequest } from '../exchange.ts';
import { launchTransferFee } from '../opening.ts';
import { grossOfNet, transferTax } from '../pool-math.ts';
import { createPoolInstruction } from './instructions/create-pool.ts';
import { lockPositionInstruction } from './instructions/lock-position.ts';
import { openPositionInstruction } from './instructions/open-position.ts';
import { swapInstruction } from './instructions/swap.ts';
import { lookupAddressesOf } from './lookup.ts';
import { type PoolAccounts, poolAccountsOf } from './pool-accounts.ts';
import { tickArrayStart } from './tick-arrays.ts';
import { configOf } from './tiers.ts';
import type { TokenInfo } from '../../tokens/token.ts';

// Measured on the program of April 2026 (docs/mainnet.md), with room.
const POOL_COMPUTE_UNITS = 700_000;
// Not measured: no lock program.
const LOCK_COMPUTE_UNITS = 600_000;

/** Throws a RangeError if it cannot fill the dev buy within the agreed maximum. */
export function buildPool(request: LaunchPoolRequest): InstructionGroup {
  const { plan, launchWallet, quote } = request;
  const pool = launchedPool(request);
  return {
    instructions: [
      createPoolInstruction({ creator: launchWallet, pool, sqrtPriceX64: BigInt(plan.opening.sqrtPriceX64) }),
      openPosition(request, pool, 0),
      openPosition(request, pool, 1),
      ...devBuy(request, pool),
    ],
    signers: [],
    computeUnits: POOL_COMPUTE_UNITS,
    lookupAddresses: lookupAddressesOf(quote.mint),
  };
}

export function buildLocks(request: LaunchPoolRequest, withMetadata: boolean): InstructionGroup {
  const { addresses, feeKeyHolders, launchWallet, quote } = request;
  const lock = (index: 0 | 1) =>
    lockPositionInstruction({
      payer: launchWallet,
      owner: launchWallet,
      positionMint: new PublicKey(addresses.positionMints[index]),
      feeKeyMint: new PublicKey(addresses.feeKeyMints[index]),
      feeKeyHolder: feeKeyHolders[index],
      withMetadata,
    });
  return {
    instructions: [lock(0), lock(1)],
    signers: [],
    computeUnits: LOCK_COMPUTE_UNITS,
    lookupAddresses: lookupAddressesOf(quote.mint),
  };
}

export function launchedPool({ fee, plan, base, quote }: LaunchPoolRequest): PoolAccounts {
  return poolAccountsOf(configOf(feeModelOf(fee).poolFeeTier), plan.fees.tickSpacing, base, quote);
}

function openPosition(request: LaunchPoolRequest, pool: PoolAccounts, index: 0 | 1): TransactionInstruction {
  const { plan, base, launchWallet } = request;
  const { liquidity, amountRaw } = plan.positions[index];
  const baseIsToken0 = plan.opening.baseIsToken0;
  const sides = [
    { account: walletAccount(base, launchWallet), most: amountRaw },
    { account: quoteAccount(request, pool), most: 0n },
  ] as const;
  const [side0, side1] = baseIsToken0 ? sides : [sides[1], sides[0]];
  return openPositionInstruction({
    pool,
    payer: launchWallet,
    owner: launchWallet,
    positionMint: new PublicKey(request.addresses.positionMints[index]),
    tickLower: plan.tickLower,
    tickUpper: plan.tickUpper,
    liquidity,
    amount0Max: side0.most,
    amount1Max: side1.most,
    account0: side0.account,
    account1: side1.account,
  });
}

/** A one-sided position takes no quote token, but the program wants an account: without a dev buy, the pool's vault. */
function quoteAccount({ devBuy, quote, launchWallet, plan }: LaunchPoolRequest, pool: PoolAccounts): PublicKey {
  if (devBuy) return walletAccount(quote, launchWallet);
  return plan.opening.baseIsToken0 ? pool.vault1 : pool.vault0;
}

function devBuy(request: LaunchPoolRequest, pool: PoolAccounts): TransactionInstruction[] {
  const { devBuy: order, plan, quote, launchWallet, fee } = request;
  if (!order) return [];
  const paid = grossOfNet(quote.transferFee, devBuyOutcome(plan, order.tokensOutRaw).amountIn);
  if (paid > order.maxQuoteInRaw) {
    throw new RangeError(`the dev buy takes ${paid} raw quote units, at most ${order.maxQuoteInRaw} were agreed`);
  }
  const zeroForOne = !plan.opening.baseIsToken0;
  return [
    swapInstruction({
      pool,
      owner: launchWallet,
      zeroForOne,
      exact: 'out',
      // The program adds the tax itself.
      amount: order.tokensOutRaw - transferTax(launchTransferFee(fee), order.tokensOutRaw),
      limit: order.maxQuoteInRaw,
      inputAccount: walletAccount(quote, launchWallet),
      outputAccount: order.recipientTokenAccount,
      tickArrays: devBuyArrays(request),
    }),
  ];
}

/** Tick arrays from the opening on; the program also wants the array where the liquidity ends. */
function devBuyArrays({ plan }: LaunchPoolRequest): number[] {
  const ends = plan.opening.baseIsToken0 ? [plan.tickLower, plan.tickUpper] : [plan.tickUpper, plan.tickLower];
  return [...new Set(ends.map((tick) => tickArrayStart(tick, plan.fees.tickSpacing)))];
}

function walletAccount({ mint, tokenProgram }: TokenInfo, wallet: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(mint, wallet, true, tokenProgram);
}
