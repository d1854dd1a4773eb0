import { inParallel } from '../../../chain/rpc/in-parallel.ts';
import type { Answer, Api } from '../../../client/index.ts';
import { type EventIndex, type IndexedCandle, NOTHING } from './event-index.ts';

/** Reads at once. */
const AT_ONCE = 4;

/** Candles of one response. */
const MOST_CANDLES = 100;

const INTERVALS = [
  ['1m', 60],
  ['5m', 300],
  ['1h', 3_600],
  ['1d', 86_400],
] as const;

/** Differences between what an index knows from events alone and what the API shows; call it while nothing happens. */
export async function indexProblems(api: Api, index: EventIndex): Promise<string[]> {
  const tokens = await inParallel(AT_ONCE, index.mints(), async (mint) => [
    ...(await tradeProblems(api, index, mint)),
    ...(await candleProblems(api, index, mint)),
  ]);
  const wallets = await inParallel(AT_ONCE, index.wallets(), (wallet) => rewardProblems(api, index, wallet));
  return [...tokens.flat(), ...wallets.flat(), ...(await revenueProblems(api, index))];
}

async function tradeProblems(api: Api, index: EventIndex, mint: string): Promise<string[]> {
  const pages = await allPages((cursor) =>
    api.ask('GET /tokens/{mint}/trades', { path: { mint }, query: { limit: 100, ...cursor } }),
  );
  const listed = pages.flatMap(({ trades }) => trades).map(({ signature, index: at }) => `${signature} ${at}`);
  return difference(`trades of ${mint}`, index.tradesOf(mint), listed.toReversed());
}

async function candleProblems(api: Api, index: EventIndex, mint: string): Promise<string[]> {
  const [interval, seconds] =
    INTERVALS.find(([, length]) => spansIn(index.candlesOf(mint, length), length) <= MOST_CANDLES) ?? INTERVALS[3];
  const candles = index.candlesOf(mint, seconds);
  const [first, last] = [candles[0], candles.at(-1)];
  if (!first || !last) return [];
  const query = {
    interval,
    currency: 'quote',
    from: first.startedAt,
    to: last.startedAt,
    limit: MOST_CANDLES,
  } as const;
  const answer = await api.ask('GET /tokens/{mint}/candles', { path: { mint }, query });
  const opening = answer.candles[0]?.open ?? null;
  const own = candles.map((candle) => (candle.open === null && opening !== null ? opened(candle, opening) : candle));
  return difference(`candles of ${mint}`, own.map(candleText), answer.candles.map(shownCandleText));
}

function spansIn(candles: readonly IndexedCandle[], seconds: number): number {
  const [first, last] = [candles[0], candles.at(-1)];
  if (!first || !last) return 0;
  return (Date.parse(last.startedAt) - Date.parse(first.startedAt)) / (seconds * 1_000) + 1;
}

function opened(candle: IndexedCandle, open: number): IndexedCandle {
  return { ...candle, open, high: Math.max(candle.high, open), low: Math.min(candle.low, open) };
}

function candleText({ startedAt, open, high, low, close, volumeRaw, volumeUsd, trades }: IndexedCandle): string {
  return [startedAt, open, high, low, close, volumeRaw, usd(volumeUsd.toNumber()), trades].join(' ');
}

function shownCandleText(candle: Answer<'GET /tokens/{mint}/candles'>['candles'][number]): string {
  const { startedAt, open, high, low, close, volumeRaw, volumeUsd, trades } = candle;
  return [startedAt, open, high, low, close, volumeRaw, usd(volumeUsd ?? 0), trades].join(' ');
}

async function rewardProblems(api: Api, index: EventIndex, wallet: string): Promise<string[]> {
  const pages = await allPages((cursor) =>
    api.ask('GET /wallets/{wallet}/rewards', { path: { wallet }, query: { limit: 100, ...cursor } }),
  );
  type Paid = { readonly roundId: string; readonly amountRaw: string; readonly signature: string };
  const textOf = ({ roundId, amountRaw, signature }: Paid) => `${roundId} ${amountRaw} ${signature}`;
  const listed = pages.flatMap(({ payouts }) => payouts).map(textOf);
  const own = index.payoutsOf(wallet).map(textOf);
  return difference(`rewards of ${wallet}`, own.toSorted(), listed.toSorted());
}

async function revenueProblems(api: Api, index: EventIndex): Promise<string[]> {
  const { days, coverage } = await api.ask('GET /revenue/history');
  const known = index.revenue();
  const harvests = [...known.values()].reduce((sum, day) => sum + day.harvests, 0);
  const own = days.map(({ date }) => {
    const { revenueUsd, holdersUsd } = known.get(date) ?? NOTHING;
    const figures = [revenueUsd, holdersUsd, revenueUsd.minus(holdersUsd)];
    return [date, ...figures.map((figure) => usd(figure.toNumber()))].join(' ');
  });
  const shown = days.map(({ date, dailyRevenue, dailyHoldersRevenue, dailyProtocolRevenue }) =>
    [date, usd(dailyRevenue), usd(dailyHoldersRevenue), usd(dailyProtocolRevenue)].join(' '),
  );
  return [
    ...difference('days of revenue', own, shown),
    ...difference('entries of revenue', [String(harvests)], [String(coverage.revenueRows)]),
  ];
}

/** The API adds up values before it rounds them, so its last digits may differ. */
function usd(value: number): string {
  return value.toFixed(6);
}

function difference(what: string, own: readonly string[], shown: readonly string[]): string[] {
  if (own.length === shown.length && own.every((one, at) => one === shown[at])) return [];
  const at = own.findIndex((one, place) => one !== shown[place]);
  const place = at < 0 ? own.length : at;
  return [
    `${what}: ${own.length} by events, ${shown.length} by the API; at ${place}: ${own[place]} is shown as ${shown[place]}`,
  ];
}

interface Page {
  readonly pagination: { readonly nextCursor: string | null };
}

async function allPages<P extends Page>(read: (cursor: { readonly cursor?: string }) => Promise<P>): Promise<P[]> {
  const pages: P[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await read(cursor === undefined ? {} : { cursor });
    pages.push(page);
    cursor = page.pagination.nextCursor;
  }
  return pages;
}
