import Type, { type Static } from 'typebox';
import { type Candle, listCandles, wasTradedBefore } from '../../db/market/candles.ts';
import { AppError } from '../../domain/errors.ts';
import { amountAnswer, amountFields } from '../answers/amounts.ts';
import { address, count, figure, moment, nullable, record } from '../answers/fields.ts';
import { toInteger, toNumber, toNumberOrNull } from '../answers/numbers.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { limitParameter, MintParamsSchema, TimestampSchema } from '../schemas/parameters.ts';
import { requireTradedToken } from './traded-token.ts';

/** Seconds. */
const INTERVALS = { '1m': 60, '5m': 300, '15m': 900, '1h': 3_600, '4h': 14_400, '1d': 86_400 } as const;
type Interval = keyof typeof INTERVALS;

const CandlesQuerySchema = Type.Object(
  {
    interval: Type.Enum(Object.keys(INTERVALS) as Interval[], { default: '1h', description: 'Length of a candle' }),
    currency: Type.Enum(['usd', 'quote'], {
      default: 'usd',
      description: 'Prices in USD, or in quote tokens for one token',
    }),
    from: Type.Optional({ ...TimestampSchema, description: 'Begin with the candle of this time' }),
    to: Type.Optional({
      ...TimestampSchema,
      description: 'End with the candle of this time; default now, and no later than the next candle',
    }),
    limit: {
      ...limitParameter.limit,
      description: 'Spans of time at most, counted back from `to`; more than 100 is 100',
    },
  },
  { additionalProperties: false },
);

const CandleSchema = record({
  startedAt: moment('Beginning of the span'),
  open: figure('Price before the first trade'),
  high: figure('Highest price'),
  low: figure('Lowest price'),
  close: figure('Last price'),
  volumeUsd: nullable(figure('Traded amount, USD')),
  ...amountFields('volume', 'The same in tokens'),
  trades: count('Trades'),
});

export const CandlesSchema = record({
  mint: address('Mint'),
  quoteMint: address('Mint of the paired token'),
  interval: Type.Enum(Object.keys(INTERVALS) as Interval[]),
  currency: Type.Enum(['usd', 'quote']),
  candles: Type.Array(CandleSchema),
  hasEarlier: Type.Boolean({
    description: 'Whether it was traded before these spans: ask with an earlier `to`, or longer ones',
  }),
});

const schema = {
  tags: ['Data'],
  operationId: 'getCandles',
  summary: 'Candles of a token',
  description:
    'Open, high, low and close, oldest first. Spans are aligned to UTC; one without a trade has no candle. `open` is the ' +
    'price before the first trade of the span.',
  params: MintParamsSchema,
  querystring: CandlesQuerySchema,
  response: responses(CandlesSchema),
};

const LIFE: ReadLife = { memorySeconds: 2, seconds: 2, staleSeconds: 10, entries: 500 };

type CandlesInput = Static<typeof CandlesQuerySchema> & Static<typeof MintParamsSchema>;

export function candlesGet(app: ApiInstance, { db, reads, now }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ mint, currency, ...input }: CandlesInput) => {
    const span = spanOf(input, now());
    const { decimals, quoteMint, poolNumber } = await requireTradedToken(db, mint);
    const [candles, hasEarlier] = await Promise.all([
      listCandles(reads, { mint, poolNumber, currency, ...span }),
      wasTradedBefore(reads, { poolNumber, ...span }),
    ]);
    const data: Static<typeof CandlesSchema> = {
      mint,
      quoteMint,
      interval: input.interval,
      currency,
      candles: candles.map((candle) => toCandleAnswer(candle, decimals)),
      hasEarlier,
    };
    return { data };
  });
  app.get('/tokens/:mint/candles', { schema }, async (request, reply) =>
    cache.send(request, reply, { ...request.query, ...request.params }),
  );
}

/** Span of at most `limit` candles back from `to`; a future `to` is the end of the candle after the present one. */
function spanOf(query: Omit<CandlesInput, 'mint' | 'currency'>, now: Date) {
  const seconds = INTERVALS[query.interval];
  const ms = seconds * 1_000;
  const asked = query.to === undefined ? now : new Date(query.to);
  const from = query.from === undefined ? null : new Date(query.from);
  if (from && from > asked) throw new AppError('invalid_request', 'query parameter "from" is later than "to"');
  const to = Math.min(asked.getTime(), now.getTime() + ms);
  const end = (Math.floor(to / ms) + 1) * ms;
  const longest = end - query.limit * ms;
  const begin = from ? Math.max(Math.floor(from.getTime() / ms) * ms, longest) : longest;
  return { seconds, from: new Date(begin), to: new Date(end) };
}

function toCandleAnswer(candle: Candle, decimals: number): Static<typeof CandleSchema> {
  const { time, open, high, low, close, volumeUsd, baseRaw, trades } = candle;
  return {
    startedAt: time.toISOString(),
    open: toNumber(open),
    high: toNumber(high),
    low: toNumber(low),
    close: toNumber(close),
    volumeUsd: toNumberOrNull(volumeUsd),
    ...amountAnswer('volume', baseRaw, decimals),
    trades: toInteger(trades),
  };
}
