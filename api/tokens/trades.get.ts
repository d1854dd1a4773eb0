import Type, { type Static } from 'typebox';
import { listTrades, type Trade, type TradedToken } from '../../db/market/trades.ts';
import { amountAnswer, amountFields } from '../answers/amounts.ts';
import { address, count, figure, moment, nullable, record, signature, text } from '../answers/fields.ts';
import { toInteger, toNumber, toNumberOrNull } from '../answers/numbers.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { limitParameter, MintParamsSchema } from '../schemas/parameters.ts';
import { fromCursor, toCursor } from './trade-cursor.ts';
import { requireTradedToken } from './traded-token.ts';

const TradesQuerySchema = Type.Object(
  {
    ...limitParameter,
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 300,
        description: '`data.pagination.nextCursor` of the answer before this one',
      }),
    ),
  },
  { additionalProperties: false },
);

/** A swap of the token's pool. Amounts are as the pool's vaults changed. */
const TradeSchema = record({
  signature: signature('Its transaction'),
  index: count('Place among the swaps of the pool in it'),
  slot: count('Slot'),
  tradedAt: moment('When'),
  side: Type.Enum(['buy', 'sell']),
  wallet: address('Who traded'),
  ...amountFields('amount', 'Tokens'),
  ...amountFields('quote', 'Quote tokens'),
  priceQuote: figure('Quote tokens for one token, right after it'),
  priceUsd: nullable(figure('The same in USD')),
  valueUsd: nullable(figure('What the quote side was worth, USD')),
  finalized: Type.Boolean({ description: 'Whether no fork can take it back' }),
});

/** `data` of `GET /tokens/{mint}/trades`. */
export const TradesSchema = record({
  mint: address('Mint'),
  quoteMint: address('Mint of the paired token'),
  trades: Type.Array(TradeSchema),
  pagination: record({
    limit: count('Trades at most'),
    hasMore: Type.Boolean({ description: 'Whether there are older ones' }),
    nextCursor: nullable(text('Where they begin; null on the last page')),
  }),
});

const schema = {
  tags: ['Data'],
  operationId: 'listTrades',
  summary: 'Trades of a token',
  description:
    'Swaps of the token’s pool, newest first. Page with `cursor`; new trades do not move a page. A trade that is not ' +
    '`finalized` can still be taken back by a fork.',
  params: MintParamsSchema,
  querystring: TradesQuerySchema,
  response: responses(TradesSchema),
};

const LIFE: ReadLife = { memorySeconds: 1, seconds: 1, staleSeconds: 5 };

type TradesInput = Static<typeof TradesQuerySchema> & Static<typeof MintParamsSchema>;

/** `GET /tokens/{mint}/trades`: swaps of a token, a page. */
export function tradesGet(app: ApiInstance, { db, reads }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ mint, limit, cursor }: TradesInput) => {
    const mark = cursor === undefined ? null : fromCursor(cursor);
    const token = await requireTradedToken(db, mint);
    const rows = await listTrades(reads, token.poolNumber, mark, limit + 1);
    const trades = rows.slice(0, limit);
    const last = rows.length > limit ? trades.at(-1) : undefined;
    const data: Static<typeof TradesSchema> = {
      mint,
      quoteMint: token.quoteMint,
      trades: trades.map((trade) => toTradeAnswer(token, trade)),
      pagination: { limit, hasMore: last !== undefined, nextCursor: last ? toCursor(last) : null },
    };
    return { data };
  });
  app.get('/tokens/:mint/trades', { schema }, async (request, reply) =>
    cache.send(request, reply, { ...request.query, ...request.params }),
  );
}

function toTradeAnswer(token: TradedToken, trade: Trade): Static<typeof TradeSchema> {
  return {
    signature: trade.signature,
    index: trade.index,
    slot: toInteger(trade.slot),
    tradedAt: trade.blockTime.toISOString(),
    side: trade.side,
    wallet: trade.wallet,
    ...amountAnswer('amount', trade.baseRaw, token.decimals),
    ...amountAnswer('quote', trade.quoteRaw, token.quoteDecimals),
    priceQuote: toNumber(trade.priceQuote),
    priceUsd: toNumberOrNull(trade.priceUsd),
    valueUsd: toNumberOrNull(trade.valueUsd),
    finalized: trade.finalized,
  };
}
