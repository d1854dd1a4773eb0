import { BigNumber } from 'bignumber.js';
import type { PublicKey } from '@solana/web3.js';
import { feeModelOf, type FeeMode } from '../../domain/fee-models.ts';
import { TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import type { PoolOpening } from '../../domain/launch/terms.ts';
import type { LaunchPlan, PlanLaunchRequest, PlannedPosition, PoolFees } from './exchange.ts';
import {
  amount0Of,
  amount1Of,
  integerSquareRoot,
  liquidityOfAmount0,
  liquidityOfAmount1,
  type SqrtRange,
  sqrtPriceAtTick,
  tickAtSqrtPrice,
  transferTax,
  type TransferFee,
  U64_MAX,
} from './pool-math.ts';

/** Outermost multiples of 120 within bounds. */
export const OUTERMOST_TICK = 443_520;

const CAP_DECIMALS = 6;

/** Deterministic. Throws a RangeError for a price that is no positive decimal or out of range. */
export function planLaunch(request: PlanLaunchRequest, fees: PoolFees, fee: FeeMode, depositRaw: bigint): LaunchPlan {
  const opening = planOpening(request, fees.tickSpacing);
  const { tick, baseIsToken0 } = opening;
  const tickLower = baseIsToken0 ? tick : -OUTERMOST_TICK;
  const tickUpper = baseIsToken0 ? OUTERMOST_TICK : tick;
  const range = { lower: sqrtPriceAtTick(tickLower), upper: sqrtPriceAtTick(tickUpper) };
  const model = feeModelOf(fee);
  const first = (depositRaw * BigInt(model.positions[0].shareBps)) / 10_000n;
  const plan = (amountRaw: bigint) => planPosition(range, baseIsToken0, amountRaw, launchTransferFee(fee));
  return { opening, fees, tickLower, tickUpper, positions: [plan(first), plan(depositRaw - first)] };
}

/** The launch's transfer fee, without a maximum; undefined on a standard launch. */
export function launchTransferFee(fee: FeeMode): TransferFee | undefined {
  const { transferFeeBps } = feeModelOf(fee);
  return transferFeeBps === 0 ? undefined : { bps: transferFeeBps, maximumRaw: U64_MAX };
}

/** Compares mints by bytes, as pools order them. */
export function sortsBefore(a: PublicKey, b: PublicKey): boolean {
  return Buffer.compare(a.toBytes(), b.toBytes()) < 0;
}

/** Base tokens that `liquidity` takes at the opening, raw, net of tax. */
export function depositOf(plan: LaunchPlan, liquidity: bigint): bigint {
  const range = { lower: sqrtPriceAtTick(plan.tickLower), upper: sqrtPriceAtTick(plan.tickUpper) };
  return plan.opening.baseIsToken0 ? amount0Of(range, liquidity, 'up') : amount1Of(range, liquidity, 'up');
}

function planPosition(
  range: SqrtRange,
  baseIsToken0: boolean,
  amountRaw: bigint,
  fee: TransferFee | undefined,
): PlannedPosition {
  const net = amountRaw - transferTax(fee, amountRaw);
  return { amountRaw, liquidity: baseIsToken0 ? liquidityOfAmount0(range, net) : liquidityOfAmount1(range, net) };
}

function planOpening(request: PlanLaunchRequest, tickSpacing: number): PoolOpening {
  const baseIsToken0 = sortsBefore(request.baseMint, request.quote.mint);
  const tick = openingTick(request, baseIsToken0, tickSpacing);
  return {
    baseIsToken0,
    tick,
    sqrtPriceX64: sqrtPriceAtTick(tick).toString(),
    quotePriceUsd: request.quotePriceUsd,
    marketCapUsd: capAtTick(request, baseIsToken0, tick).toFixed(CAP_DECIMALS),
  };
}

function openingTick(request: PlanLaunchRequest, baseIsToken0: boolean, tickSpacing: number): number {
  const wanted = new BigNumber(request.openingMarketCapUsd);
  const below = Math.floor(tickAtSqrtPrice(wantedSqrtPrice(request, baseIsToken0)) / tickSpacing) * tickSpacing;
  const distance = (tick: number) => capAtTick(request, baseIsToken0, tick).minus(wanted).abs();
  return distance(below).isLessThanOrEqualTo(distance(below + tickSpacing)) ? below : below + tickSpacing;
}

/** Returns the wanted price as Q64.64 square root. */
function wantedSqrtPrice(request: PlanLaunchRequest, baseIsToken0: boolean): bigint {
  const price = priceOf(request);
  const scale = price.decimalPlaces() ?? 0;
  // Raw per raw unit: market cap / price over the whole supply.
  const quoteSide = integerOf(new BigNumber(request.openingMarketCapUsd).shiftedBy(request.quote.decimals + scale));
  const baseSide = integerOf(price.shiftedBy(scale)) * TOTAL_SUPPLY_RAW;
  return integerSquareRoot(baseIsToken0 ? (quoteSide << 128n) / baseSide : (baseSide << 128n) / quoteSide);
}

function integerOf(value: BigNumber): bigint {
  return BigInt(value.toFixed(0));
}

function capAtTick(request: PlanLaunchRequest, baseIsToken0: boolean, tick: number): BigNumber {
  const squareX128 = sqrtPriceAtTick(tick) ** 2n;
  const quoteRaw = baseIsToken0 ? (TOTAL_SUPPLY_RAW * squareX128) >> 128n : (TOTAL_SUPPLY_RAW << 128n) / squareX128;
  return new BigNumber(quoteRaw.toString()).shiftedBy(-request.quote.decimals).times(priceOf(request));
}

function priceOf(request: PlanLaunchRequest): BigNumber {
  const { quotePriceUsd, quote } = request;
  // BigNumber accepts Infinity and 1e5: plain digits only.
  if (!/^\d{1,30}(\.\d{1,30})?$/.test(quotePriceUsd) || /^[0.]*$/.test(quotePriceUsd)) {
    throw new RangeError(`USD price "${quotePriceUsd}" of ${quote.mint.toBase58()} is no positive decimal number`);
  }
  return new BigNumber(quotePriceUsd);
}
