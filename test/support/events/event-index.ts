import BigNumber from 'bignumber.js';
import type { SlipwayEvent } from '../../../client/index.ts';

type Trade = NonNullable<SlipwayEvent['trade']>;
type Payout = NonNullable<SlipwayEvent['payout']>;

/** The fields of an event that an index reads. */
export type IndexedEvent = Pick<SlipwayEvent, 'type' | 'mint' | 'wallet' | 'trade' | 'payout' | 'harvest'>;

export interface IndexedCandle {
  /** ISO 8601, aligned to the interval since 1970. */
  readonly startedAt: string;
  /** Quote tokens for one token. Null for the first candle: no event has a pool's opening price. */
  readonly open: number | null;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volumeRaw: bigint;
  /** Trades without a price count as zero. */
  readonly volumeUsd: BigNumber;
  readonly trades: number;
}

export interface IndexedDay {
  readonly revenueUsd: BigNumber;
  readonly holdersUsd: BigNumber;
  readonly harvests: number;
}

/** The knowledge of a program that read the log of events alone. */
export interface EventIndex {
  /** Takes the next event of the log. */
  add(event: IndexedEvent): void;
  /** Mints of the tokens that are launched. */
  mints(): string[];
  /** Trades that are shown, as `signature index`: oldest first; final ones before others. */
  tradesOf(mint: string): string[];
  candlesOf(mint: string, seconds: number): IndexedCandle[];
  /** Wallets that were paid rewards. */
  wallets(): string[];
  /** In the order of the log. */
  payoutsOf(wallet: string): readonly Payout[];
  /** By UTC day, `YYYY-MM-DD`. */
  revenue(): ReadonlyMap<string, IndexedDay>;
  /** How many confirmed trades are neither final nor withdrawn. */
  undecided(): number;
  /** Contradictions of the promises of the log. */
  readonly problems: readonly string[];
}

interface Shown {
  readonly mint: string;
  readonly trade: Trade;
  readonly isFinal: boolean;
}

/** An empty index: no product code but the shape of events. */
export function createEventIndex(): EventIndex {
  const tokens = new Set<string>();
  const shown = new Map<string, Shown>();
  const payouts = new Map<string, Payout[]>();
  const days = new Map<string, IndexedDay>();
  const problems: string[] = [];
  const tape = (mint: string) => {
    const all = [...shown.values()].filter((one) => one.mint === mint);
    return [...all.filter(({ isFinal }) => isFinal), ...all.filter(({ isFinal }) => !isFinal)].map(
      ({ trade }) => trade,
    );
  };
  return {
    problems,
    add(event) {
      if (event.type === 'token.launched' && event.mint !== null) tokens.add(event.mint);
      if (event.type === 'token.withdrawn' && event.mint !== null) tokens.delete(event.mint);
      if (event.trade) problems.push(...tradeProblems(shown, event));
      if (event.trade) show(shown, event);
      if (event.payout && event.wallet !== null) {
        payouts.set(event.wallet, [...(payouts.get(event.wallet) ?? []), event.payout]);
      }
      if (event.harvest) addHarvest(days, event.harvest);
    },
    mints: () => [...tokens],
    tradesOf: (mint) => tape(mint).map(nameOf),
    candlesOf: (mint, seconds) => candlesOf(tape(mint), seconds * 1_000),
    wallets: () => [...payouts.keys()],
    payoutsOf: (wallet) => payouts.get(wallet) ?? [],
    revenue: () => days,
    undecided: () => [...shown.values()].filter(({ isFinal }) => !isFinal).length,
  };
}

function nameOf({ signature, index }: Trade): string {
  return `${signature} ${index}`;
}

function tradeProblems(shown: ReadonlyMap<string, Shown>, { type, trade }: IndexedEvent): string[] {
  if (!trade) return [];
  const known = shown.get(nameOf(trade));
  const isSame = known?.trade.slot === trade.slot;
  const isAllowed =
    (type === 'trade.confirmed' && !known) ||
    (type === 'trade.final' && (!known || (isSame && !known.isFinal))) ||
    (type === 'trade.withdrawn' && isSame && known?.isFinal === false);
  const before = known ? `${known.isFinal ? 'final' : 'confirmed'} in slot ${known.trade.slot}` : 'not shown';
  return isAllowed ? [] : [`${type} of trade ${nameOf(trade)} in slot ${trade.slot}, which was ${before}`];
}

/** A final trade goes to the end: the log has a pool's final trades in the order of the chain. */
function show(shown: Map<string, Shown>, { type, mint, trade }: IndexedEvent): void {
  if (!trade || mint === null) return;
  shown.delete(nameOf(trade));
  if (type !== 'trade.withdrawn') shown.set(nameOf(trade), { mint, trade, isFinal: type === 'trade.final' });
}

function candlesOf(tape: readonly Trade[], intervalMs: number): IndexedCandle[] {
  const spans = new Map<number, Trade[]>();
  for (const trade of tape) {
    const start = Math.floor(Date.parse(trade.tradedAt) / intervalMs) * intervalMs;
    spans.set(start, [...(spans.get(start) ?? []), trade]);
  }
  let open: number | null = null;
  return [...spans]
    .toSorted(([a], [b]) => a - b)
    .map(([start, trades]) => {
      const candle = candleOf(start, trades, open);
      open = candle.close;
      return candle;
    });
}

function candleOf(start: number, trades: readonly Trade[], open: number | null): IndexedCandle {
  const prices = [...trades.map(({ priceQuote }) => priceQuote), ...(open === null ? [] : [open])];
  return {
    startedAt: new Date(start).toISOString(),
    open,
    high: Math.max(...prices),
    low: Math.min(...prices),
    close: trades.at(-1)?.priceQuote ?? Number.NaN,
    volumeRaw: trades.reduce((sum, { amountRaw }) => sum + BigInt(amountRaw), 0n),
    volumeUsd: trades.reduce((sum, { valueUsd }) => sum.plus(valueUsd ?? 0), BigNumber(0)),
    trades: trades.length,
  };
}

/** The revenue of a day without a harvest. */
export const NOTHING = { revenueUsd: BigNumber(0), holdersUsd: BigNumber(0) } as const;

function addHarvest(
  days: Map<string, IndexedDay>,
  { harvestedAt, valueUsd, buybackBps }: NonNullable<SlipwayEvent['harvest']>,
): void {
  const date = harvestedAt.slice(0, 10);
  const { revenueUsd, holdersUsd, harvests } = days.get(date) ?? { ...NOTHING, harvests: 0 };
  const value = BigNumber(valueUsd ?? 0);
  days.set(date, {
    revenueUsd: revenueUsd.plus(value),
    holdersUsd: holdersUsd.plus(value.times(buybackBps).shiftedBy(-4)),
    harvests: harvests + 1,
  });
}
