import { PublicKey } from '@solana/web3.js';
import { isEmpty } from '../../chain/exchange/position-fees.ts';
import type { Claimable, Exchange, PoolSummary } from '../../chain/exchange/exchange.ts';
import { transaction } from '../../db/connect.ts';
import { type DuePosition, duePositions } from '../../db/fee-sweep/fee-positions.ts';
import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import { basePriceUsd, isWorth } from '../../domain/usd-value.ts';
import { feesWorthUsd } from '../../domain/fee-sweep/fee-sweep.ts';
import { burnPriceUsd } from './burn-price.ts';
import type { FeeSweepDeps } from './deps.ts';
import { sharesOf } from './shares.ts';
import { createPlannedPrices, type PlanPrice } from '../trading/planned-prices.ts';
import { IS_TAXED } from '../../domain/fee-models.ts';

/** Positions per step. */
const PAGE = 100;

interface SeenPosition {
  readonly due: DuePosition;
  readonly claimable: Claimable;
  readonly price: PlanPrice;
  /** By the pool price and the last known quote price; null without one. */
  readonly baseEstimateUsd: string | null;
}

/**
 * A quorum must agree on too little: an untraded pool is not read again. Returns the pool to continue after, or null.
 */
export async function planFeeSweeps(deps: FeeSweepDeps, after: string): Promise<string | null> {
  await deps.lanes.learn();
  const page = await duePositions(deps.db, after, PAGE);
  if (page.length === 0) return null;
  const least = deps.rules.leastUsd;
  const seen = await look(deps, page, deps.exchange);
  const worth = seen.filter((one) => isWorthwhile(one, least));
  const confirmed = await lookAgain(
    deps,
    seen.filter((one) => !worth.includes(one)),
  );
  for (const one of [...worth, ...confirmed]) {
    deps.heartbeat();
    await planOne(deps, one);
  }
  return page.at(-1)?.pool ?? null;
}

/** All positions if a quorum agrees that they are not worthwhile; else those that another endpoint calls worthwhile. */
async function lookAgain(deps: FeeSweepDeps, poor: readonly SeenPosition[]): Promise<readonly SeenPosition[]> {
  if (poor.length === 0 || deps.rpc.quorum === 1) return poor;
  const page = poor.map(({ due }) => due);
  const isWorth = (one: SeenPosition) => isWorthwhile(one, deps.rules.leastUsd);
  // An endpoint that lacks a position does not say that its fees are poor.
  const isWhole = (answer: readonly SeenPosition[]) => answer.length === page.length;
  try {
    const seen = await deps.rpc.confirmedByQuorum(
      (connection) => look(deps, page, deps.exchangeAt(connection)),
      (answer) => (answer.some(isWorth) ? 'success' : isWhole(answer) ? 'refusal' : 'nothing'),
    );
    return seen.some(isWorth) ? seen.filter(isWorth) : seen;
  } catch (error) {
    deps.logger.info({ err: error, positions: page.length }, 'whether fees are worth collecting is asked again later');
    return [];
  }
}

async function look(deps: FeeSweepDeps, page: readonly DuePosition[], exchange: Exchange): Promise<SeenPosition[]> {
  const keys = page.map(({ pool, feeKeyMint }) => ({
    pool: new PublicKey(pool),
    feeKeyMint: new PublicKey(feeKeyMint),
  }));
  const [pools, claimables] = await Promise.all([
    exchange.readPools(keys.map(({ pool }) => pool)),
    exchange.readClaimables(keys),
  ]);
  const priceOf = createPlannedPrices(deps);
  const seen = await Promise.all(
    page.map(async (due, index) => seenOf(due, pools[index], claimables[index], await priceOf(due.quoteMint))),
  );
  for (const [index, due] of page.entries()) {
    if (!seen[index]) deps.logger.error({ mint: due.mint, pool: due.pool }, 'a position of the platform is not there');
  }
  return seen.filter((one) => one !== null);
}

function seenOf(
  due: DuePosition,
  pool: PoolSummary | null | undefined,
  claimable: Claimable | null | undefined,
  price: PlanPrice,
): SeenPosition | null {
  if (!pool || !claimable) return null;
  const { mint, baseDecimals, quoteDecimals } = due;
  const baseIsToken0 = pool.token0.toBase58() === mint;
  const poolPrice = { sqrtPriceX64: pool.sqrtPriceX64, baseIsToken0, baseDecimals, quoteDecimals };
  const { estimateUsd } = price;
  return { due, claimable, price, baseEstimateUsd: estimateUsd === null ? null : basePriceUsd(poolPrice, estimateUsd) };
}

/** Plans and marks in one transaction: after a crash in between the next run reads it again. */
async function planOne(deps: FeeSweepDeps, seen: SeenPosition): Promise<void> {
  const { db, rules, logger } = deps;
  const { due, claimable, price } = seen;
  const { mint, feeKeyMint, pool, mode } = due;
  const { quoteUsd, priceSource, pricedAt } = price;
  const baseUsd = await burnPriceUsd(deps, mint, quoteUsd);
  return transaction(db, async (tx) => {
    const { buybackBps, flywheelBps } = await sharesOf(tx, rules, due.quoteMint);
    const terms = { quoteUsd, priceSource, pricedAt, baseUsd, buybackBps, flywheelBps };
    if (IS_TAXED[mode]) await feeSweeps.planDepositTax(tx, mint, terms);
    if (isWorthwhile(seen, rules.leastUsd)) {
      const { baseRaw: claimableBaseRaw, quoteRaw: claimableQuoteRaw } = claimable;
      await feeSweeps.plan(tx, { mint, feeKeyMint, claimableBaseRaw, claimableQuoteRaw, ...terms });
      logger.info({ mint, baseRaw: String(claimableBaseRaw), quoteRaw: String(claimableQuoteRaw) }, 'sweep planned');
    }
    await feeSweeps.noteLook(tx, pool, due.seen);
  });
}

/** True without any known price. */
function isWorthwhile({ due, claimable, price, baseEstimateUsd: baseUsd }: SeenPosition, leastUsd: string): boolean {
  const { estimateUsd: quoteUsd } = price;
  if (isEmpty(claimable)) return false;
  if (quoteUsd === null || baseUsd === null) return true;
  const { baseDecimals, quoteDecimals } = due;
  return isWorth(feesWorthUsd({ ...claimable, baseDecimals, quoteDecimals, baseUsd, quoteUsd }), leastUsd);
}
