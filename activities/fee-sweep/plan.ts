import { PublicKey } from '@solana/web3.js';
import { isEmpty } from '../../chain/exchange/position-fees.ts';
import type { Claimable, Exchange, PoolSummary } from '../../chain/exchange/exchange.ts';
import { transaction } from '../../db/connect.ts';
import { type DuePosition, duePositions } from '../../db/fee-sweep/fee-positions.ts';
import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import { basePriceUsd, isWorth } from '../../domain/usd-value.ts';
import { feesWorthUsd } from '../../domain/fee-sweep/fee-sweep.ts';
import type { FeeSweepDeps } from './deps.ts';
import { sharesOf } from './shares.ts';
import { createPlannedPrices, type PlanPrice } from '../trading/planned-prices.ts';

/** Positions that are looked at in one step. */
const PAGE = 100;

/** A position with what the chain says of it. */
interface SeenPosition {
  readonly due: DuePosition;
  readonly claimable: Claimable;
  readonly price: PlanPrice;
  /** USD per whole launched token, by the price that is stored; null without one. */
  readonly baseUsd: string | null;
  /** The same by the last known price. */
  readonly baseEstimateUsd: string | null;
}

/**
 * Looks at the fees of a page of positions whose pools changed since the last look, and plans what is worth collecting. Where one
 * endpoint says that it is not, others are asked: of a pool that nobody trades in any more the fees are not looked at again. Answers the
 * pool to go on after, or null where this was the last page.
 */
export async function planFeeSweeps(deps: FeeSweepDeps, after: string): Promise<string | null> {
  await deps.lanes.learn();
  const page = await duePositions(deps.db, after, PAGE);
  if (page.length === 0) return null;
  const least = deps.rules.leastUsd;
  const seen = await look(deps, page, deps.exchange);
  const worth = seen.filter((one) => isWorthwhile(one, least));
  const borneOut = await lookAgain(
    deps,
    seen.filter((one) => !worth.includes(one)),
  );
  for (const one of [...worth, ...borneOut]) {
    deps.heartbeat();
    await planOne(deps, one);
  }
  return page.at(-1)?.pool ?? null;
}

/**
 * Of positions whose fees one endpoint says are not worth collecting those of which a quorum says so, and otherwise those that are worth
 * it by another one's word: the rest is left for the next round.
 */
async function lookAgain(deps: FeeSweepDeps, poor: readonly SeenPosition[]): Promise<readonly SeenPosition[]> {
  if (poor.length === 0 || deps.rpc.quorum === 1) return poor;
  const page = poor.map(({ due }) => due);
  const isWorth = (one: SeenPosition) => isWorthwhile(one, deps.rules.leastUsd);
  try {
    const seen = await deps.rpc.borneOut(
      (connection) => look(deps, page, deps.exchangeAt(connection)),
      (answer) => (answer.some(isWorth) ? 'success' : 'refusal'),
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
  const baseAt = (quoteUsd: string | null) => (quoteUsd === null ? null : basePriceUsd(poolPrice, quoteUsd));
  return { due, claimable, price, baseUsd: baseAt(price.quoteUsd), baseEstimateUsd: baseAt(price.estimateUsd) };
}

/** Plan and look are one: whoever is cut off in between looks again. */
function planOne({ db, rules, logger }: FeeSweepDeps, seen: SeenPosition): Promise<void> {
  const { due, claimable, price, baseUsd } = seen;
  const { mint, feeKeyMint, pool, mode } = due;
  const { quoteUsd, priceSource, pricedAt } = price;
  return transaction(db, async (tx) => {
    const { buybackBps, flywheelBps } = await sharesOf(tx, rules, due.quoteMint);
    const terms = { quoteUsd, priceSource, pricedAt, baseUsd, buybackBps, flywheelBps };
    if (mode === 'reward') await feeSweeps.planDepositTax(tx, mint, terms);
    if (isWorthwhile(seen, rules.leastUsd)) {
      const { baseRaw: claimableBaseRaw, quoteRaw: claimableQuoteRaw } = claimable;
      await feeSweeps.plan(tx, { mint, feeKeyMint, claimableBaseRaw, claimableQuoteRaw, ...terms });
      logger.info({ mint, baseRaw: String(claimableBaseRaw), quoteRaw: String(claimableQuoteRaw) }, 'sweep planned');
    }
    await feeSweeps.noteLook(tx, pool, due.seen);
  });
}

/** Where no price was ever known, whatever there is is collected: nothing says that it is too little. */
function isWorthwhile({ due, claimable, price, baseEstimateUsd: baseUsd }: SeenPosition, leastUsd: string): boolean {
  const { estimateUsd: quoteUsd } = price;
  if (isEmpty(claimable)) return false;
  if (quoteUsd === null || baseUsd === null) return true;
  const { baseDecimals, quoteDecimals } = due;
  return isWorth(feesWorthUsd({ ...claimable, baseDecimals, quoteDecimals, baseUsd, quoteUsd }), leastUsd);
}
