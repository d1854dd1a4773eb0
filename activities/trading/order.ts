import type { Exchange, PoolState, QuoteRequest, SwapQuote } from '../../chain/exchange/exchange.ts';
import { transferTax } from '../../chain/exchange/pool-math.ts';
import { quoteFeeProblem } from '../../chain/tokens/transfer-fee.ts';
import {
  greatestAcceptable,
  isWithinImpact,
  leastPoolOut,
  lessBpsUp,
  type MarketLimits,
} from '../../domain/trading/limits.ts';
import type { AgreedAverage } from './average.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

export interface MarketOrder {
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly side: 'buy' | 'sell';
  /** Maximum input, raw units. */
  readonly mostRaw: bigint;
  /** Judges the fills. */
  readonly averagePrice: AgreedAverage;
  readonly limits: MarketLimits;
}

export interface SizedOrder {
  readonly request: QuoteRequest;
  readonly quote: SwapQuote & { readonly fillable: true };
  /** Minimum output, raw units. */
  readonly limitRaw: bigint;
}

export class MarketRefusedError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'MarketRefusedError';
  }
}

export interface QuorumOrder extends SizedOrder {
  /** Of an endpoint that accepts the order. */
  readonly state: PoolState;
}

/**
 * The greatest order that a quorum of endpoints accepts, each by the pool that it shows, with the strictest limit of
 * these: one endpoint can neither enlarge it nor lower its limit. Throws a MarketRefusedError if there is none.
 */
export function sizeByQuorum(
  exchange: Pick<Exchange, 'quoteSwap'>,
  states: readonly PoolState[],
  order: MarketOrder,
  quorum: number,
): QuorumOrder {
  const refusals: MarketRefusedError[] = [];
  const sized = states.flatMap((state) => {
    try {
      return [{ state, ...sizeOrder(exchange, state, order) }];
    } catch (error) {
      if (!(error instanceof MarketRefusedError)) throw error;
      refusals.push(error);
      return [];
    }
  });
  const greatestFirst = sized.toSorted((a, b) => (a.request.amount < b.request.amount ? 1 : -1));
  const accepting = greatestFirst.slice(0, quorum);
  const least = accepting.at(-1);
  if (!least || accepting.length < quorum)
    throw refusals[0] ?? new MarketRefusedError('too few endpoints show the pool');
  const { amount } = least.request;
  const limits = accepting.map(({ state }) => sizeOrder(exchange, state, { ...order, mostRaw: amount }).limitRaw);
  return { ...least, limitRaw: limits.reduce((most, limit) => (limit > most ? limit : most)) };
}

/** Throws a MarketRefusedError if there is none. */
export function sizeOrder(exchange: Pick<Exchange, 'quoteSwap'>, state: PoolState, order: MarketOrder): SizedOrder {
  const feeProblem = quoteFeeProblem(order.quote);
  if (feeProblem !== null) throw new MarketRefusedError(feeProblem);
  const judge = (amount: bigint) => judged(exchange, state, order, amount);
  const amount = greatestAcceptable(order.mostRaw, (raw) => judge(raw).problem === null);
  const { quote, request, leastRaw } = judge(amount);
  if (amount === 0n || !quote?.fillable)
    throw new MarketRefusedError(judge(order.mostRaw).problem ?? 'nothing to swap');
  const slipped = lessBpsUp(quote.amountOut, order.limits.maxSlippageBps);
  return { request, quote, limitRaw: slipped > leastRaw ? slipped : leastRaw };
}

interface Judgement {
  readonly request: QuoteRequest;
  readonly quote: SwapQuote | null;
  /** By the average price, raw units. */
  readonly leastRaw: bigint;
  /** Null if acceptable. */
  readonly problem: string | null;
}

function judged(
  exchange: Pick<Exchange, 'quoteSwap'>,
  state: PoolState,
  { base, quote: quoteToken, side, averagePrice, limits }: MarketOrder,
  amount: bigint,
): Judgement {
  const request = { base, quote: quoteToken, side, exact: 'in', amount } as const;
  const fill = amount > 0n ? exchange.quoteSwap(state, request) : null;
  if (!fill?.fillable)
    return { request, quote: fill, leastRaw: 0n, problem: fill?.reason ?? 'there is nothing to swap' };
  const decimals = { baseDecimals: base.decimals, quoteDecimals: quoteToken.decimals };
  const { poolIn } = fill;
  const least = leastPoolOut(
    { side, poolIn, feePpm: state.fees.feePpm, ...decimals, averagePrice },
    limits.maxBelowAverageBps,
  );
  const output = side === 'sell' ? quoteToken : base;
  const leastRaw = least - transferTax(output.transferFee, least);
  return { request, quote: fill, leastRaw, problem: problemOf(state, fill, least, limits) };
}

function problemOf(
  state: PoolState,
  fill: SwapQuote & { fillable: true },
  least: bigint,
  limits: MarketLimits,
): string | null {
  // First: a smaller amount does not mend a price too far from the average.
  if (fill.poolOut < least) return `the pool gives ${fill.poolOut} raw units, by the average price it is ${least}`;
  const isCalm = isWithinImpact(state.sqrtPriceX64, fill.sqrtPriceAfterX64, limits.maxImpactBps);
  if (!isCalm) return `it would move the price by more than ${limits.maxImpactBps} bps`;
  return fill.poolOut < 1n ? 'nothing would come out' : null;
}
