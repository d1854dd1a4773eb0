import {
  BASE_DECIMALS,
  type Landed,
  OPENING,
  QUOTE_DECIMALS,
  type RecordedChain,
  type RecordedPool,
  SUPPLY_RAW,
} from './recorded-chain.ts';

/** What is stored of a pool in the end, with exact decimals. */
export interface MarketFacts {
  readonly swaps: readonly object[];
  readonly candles: readonly object[];
  /** Of the last ten minutes and of the whole history. */
  readonly averages: readonly string[];
  readonly figures: object;
  /** `trade.confirmed` less `trade.withdrawn`, and `trade.final`, by signature. */
  readonly events: Readonly<Record<string, readonly [shown: number, final: number]>>;
}

/** USD of a whole quote token, all the time. */
export const QUOTE_USD = 2n;
export const CANDLE_SECONDS = 60;
export const AVERAGED_SECONDS = [600, 100_000] as const;
/** The price before the first trade. */
export const OPENING_PRICE = '1';

function tradesOf(chain: RecordedChain, pool: RecordedPool): readonly Trade[] {
  return chain.blocks.flatMap(({ slot, blockTime, landed }) => {
    const ofPool = landed.filter((one) => one.pool === pool);
    return ofPool.map((trade, place) => ({ ...trade, slot, blockTime, place, price: priceAt(trade.after) }));
  });
}

export function recountedSwaps(chain: RecordedChain, pool: RecordedPool): readonly object[] {
  return tradesOf(chain, pool).map(({ place, price, ...trade }) => ({
    signature: trade.signature,
    slot: BigInt(trade.slot),
    slotOrder: place,
    blockTime: new Date(trade.blockTime * 1_000),
    side: trade.side,
    wallet: trade.wallet,
    baseRaw: trade.baseRaw,
    quoteRaw: trade.quoteRaw,
    priceQuote: decimal(price, 30),
    valueUsd: decimal(valueOf(trade.quoteRaw), 10),
    finalized: true,
  }));
}

/**
 * Counts the facts of a pool over the blocks themselves, with nothing of the index.
 * @param peakUsd market cap of an earlier history
 */
export function recountedFacts(
  chain: RecordedChain,
  pool: RecordedPool,
  { now, peakUsd }: { readonly now: number; readonly peakUsd: string },
): MarketFacts {
  const trades = tradesOf(chain, pool);
  return {
    swaps: recountedSwaps(chain, pool),
    candles: candlesOf(trades),
    averages: AVERAGED_SECONDS.map((seconds) => averageOf(trades, now - seconds, now)),
    figures: figuresOf(trades, peakUsd),
    events: Object.fromEntries(trades.map(({ signature }) => [signature, [1, 1] as const])),
  };
}

interface Trade extends Landed {
  readonly slot: number;
  readonly place: number;
  readonly blockTime: number;
  /** Times 10 ^ 30. */
  readonly price: bigint;
}

/** Digits of a fraction with a denominator of 10 ^ digits, without zeros at its end. */
function decimal(units: bigint, digits: number): string {
  const text = String(units).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`.replace(/\.?0+$/, '');
}

function unitsOf(text: string, digits: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(digits, '0'));
}

function rounded(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

/** The price that the pool's root shows, times 10 ^ 30. */
function priceAt({ base, quote }: Landed['after']): bigint {
  let root = 0n;
  // The greatest integer whose square is not above the ratio, bit by bit.
  for (let bit = 1n << 64n; bit > 0n; bit >>= 1n) {
    if ((root + bit) ** 2n * base <= quote << 128n) root += bit;
  }
  return rounded(root ** 2n * 10n ** BigInt(30 + BASE_DECIMALS - QUOTE_DECIMALS), 1n << 128n);
}

/** USD times 10 ^ 10. */
function valueOf(quoteRaw: bigint): bigint {
  return (quoteRaw * QUOTE_USD * 10n ** 10n) / 10n ** BigInt(QUOTE_DECIMALS);
}

function candlesOf(trades: readonly Trade[]): object[] {
  let close = BigInt(OPENING_PRICE) * 10n ** 30n;
  const groups = Map.groupBy(trades, ({ blockTime }) => Math.floor(blockTime / CANDLE_SECONDS));
  return [...groups].map(([span, inside]) => {
    const prices = [close, ...inside.map(({ price }) => price)].toSorted((a, b) => (a < b ? -1 : 1));
    const open = close;
    close = inside.at(-1)!.price;
    return {
      time: new Date(span * CANDLE_SECONDS * 1_000),
      open: decimal(open, 30),
      high: decimal(prices.at(-1)!, 30),
      low: decimal(prices[0]!, 30),
      close: decimal(close, 30),
      volumeUsd: decimal(sumOf(inside.map(({ quoteRaw }) => valueOf(quoteRaw))), 10),
      baseRaw: sumOf(inside.map(({ baseRaw }) => baseRaw)),
      trades: BigInt(inside.length),
    };
  });
}

function averageOf(trades: readonly Trade[], from: number, to: number): string {
  let [price, at, weighed, seconds] = [BigInt(OPENING_PRICE) * 10n ** 30n, from, 0n, 0n];
  for (const trade of [...trades, { blockTime: to, price: 0n }]) {
    const until = Math.max(from, trade.blockTime);
    weighed += price * BigInt(until - at);
    seconds += BigInt(until - at);
    [price, at] = [trade.price, until];
  }
  return decimal(rounded(weighed, seconds), 30);
}

function figuresOf(trades: readonly Trade[], peakUsd: string): object {
  const price = trades.at(-1)?.price ?? priceAt(OPENING);
  const capAt = (each: bigint) => rounded(SUPPLY_RAW * each * QUOTE_USD, 10n ** BigInt(BASE_DECIMALS + 20));
  const caps = [unitsOf(peakUsd, 10), ...trades.map((trade) => capAt(trade.price))];
  return {
    priceQuote: decimal(price, 30),
    marketCapUsd: decimal(capAt(price), 10),
    highWaterMarketCapUsd: decimal(
      caps.reduce((peak, cap) => (cap > peak ? cap : peak)),
      10,
    ),
    volume24hUsd: decimal(sumOf(trades.map(({ quoteRaw }) => valueOf(quoteRaw))), 10),
  };
}

function sumOf(numbers: readonly bigint[]): bigint {
  return numbers.reduce((sum, number) => sum + number, 0n);
}
