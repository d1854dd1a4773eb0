import { quoteTokenOf } from '../../chain/launch/pool-request.ts';
import { RpcUnavailableError } from '../../chain/rpc/json-rpc.ts';
import { readBalanceBounds } from '../../chain/tokens/token-balance.ts';
import type { Db } from '../../db/connect.ts';
import { type BalanceReading, lockedStockOf } from '../../db/inventory/stock.ts';
import { databaseTime } from '../../db/inventory/stock-books.ts';
import { devBuyObstacle, resumeObstacle } from '../../domain/launch/dev-buy-stock.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import type { TokenBalance } from '../../domain/token-balance.ts';
import type { LaunchDeps } from './deps.ts';

/** Bounds of the treasury's balance. `balance` is the lower one: no more than that may be sold. */
export interface TreasuryReading extends BalanceReading {
  /** The upper bound; above `balance` if endpoints differ. */
  readonly most: TokenBalance;
}

export async function treasuryBalance({ db, rpc, builder }: LaunchDeps, terms: LaunchTerms): Promise<TreasuryReading> {
  const readAt = await databaseTime(db);
  const { least, most } = await readBalanceBounds(rpc, quoteTokenOf(terms), builder.treasury.publicKey);
  return { readAt, balance: least, most };
}

/**
 * Returns why the stock cannot serve the dev buy; undefined if it can.
 *
 * @throws RpcUnavailableError if the endpoints differ and only the lower bound is too little: the caller reads again
 */
export async function shortageOf(
  tx: Db,
  { devBuyHourUsd }: LaunchDeps,
  { quoteId, quoteToken, devBuy }: LaunchTerms,
  held: TreasuryReading,
): Promise<string | undefined> {
  const { mint, symbol } = quoteToken;
  const neededRaw = BigInt(devBuy?.maxQuoteRaw ?? 0);
  const { reason, isProven } = await obstacleAmong(held, async (reading) => {
    const stock = await lockedStockOf(tx, mint, quoteId, reading);
    return devBuyObstacle(stock, neededRaw, symbol, devBuyHourUsd)?.text;
  });
  if (!isProven) throw new RpcUnavailableError(reason);
  return reason;
}

/**
 * Returns why the stock cannot serve a parked launch, which reserved nothing. A difference between endpoints is a
 * reason too: an operator waits for the answer and can repeat the decision. The hourly limit is not checked again,
 * because it counted the launch when it was signed.
 */
export async function shortageOfResume(
  tx: Db,
  { quoteId, quoteToken, devBuy }: LaunchTerms,
  held: TreasuryReading,
): Promise<string | undefined> {
  const { mint, symbol } = quoteToken;
  const { reason, isProven } = await obstacleAmong(held, async (reading) => {
    const stock = await lockedStockOf(tx, mint, quoteId, reading);
    return resumeObstacle(stock, BigInt(devBuy?.maxQuoteRaw ?? 0), symbol);
  });
  return isProven ? reason : `${reason}; resume again once they agree, or refund`;
}

type Obstacle =
  | { readonly isProven: true; readonly reason: string | undefined }
  | { readonly isProven: false; readonly reason: string };

/** Sells if the lower bound suffices, refuses if the upper bound does not; between the two nothing is proven. */
async function obstacleAmong(
  held: TreasuryReading,
  obstacleBy: (reading: BalanceReading) => Promise<string | undefined>,
): Promise<Obstacle> {
  const obstacle = await obstacleBy(held);
  const [leastRaw, mostRaw] = [held.balance.spendableRaw, held.most.spendableRaw];
  if (obstacle === undefined || mostRaw === leastRaw) return { isProven: true, reason: obstacle };
  const refusal = await obstacleBy({ ...held, balance: held.most });
  if (refusal !== undefined) return { isProven: true, reason: refusal };
  const reason = `RPC endpoints differ on what the treasury can spend: ${leastRaw} or ${mostRaw} raw units`;
  return { isProven: false, reason };
}
