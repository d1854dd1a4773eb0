import Type, { type Static } from 'typebox';
import { listTrades, type Trade, type TradedToken } from '../../db/market/trades.ts';
import { formatUnits } from '../../domain/amounts.ts';
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
      Type.String({ minLength: 1, maxLength: 300, description: '`meta.nextCursor` of the answer before this one' }),
    ),
  },
  { additionalProperties: false },
);

const schema = {
  tags: ['Data'],
  summary: 'Trades of a token',
  description:
    'Swaps of the token’s pool, newest first. Page with `cursor`; new trades do not move a page. A trade that is not ' +
    '`finalized` can still be taken back by a fork.',
  params: MintParamsSchema,
  querystring: TradesQuerySchema,
  response: responses(),
};

const LIFE: ReadLife = { memorySeconds: 1, seconds: 1, staleSeconds: 5 };

type TradesInput = Static<typeof TradesQuerySchema> & Static<typeof MintParamsSchema>;

/** `GET /tokens/{mint}/trades`: swaps of a token, a page. */
export function tradesGet(app: ApiInstance, { db }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ mint, limit, cursor }: TradesInput) => {
    const mark = cursor === undefined ? null : fromCursor(cursor);
    const token = await requireTradedToken(db, mint);
    const rows = await listTrades(db, mint, mark, limit + 1);
    const trades = rows.slice(0, limit);
    const last = rows.length > limit ? trades.at(-1) : undefined;
    return {
      data: { mint, quoteMint: token.quoteMint, trades: trades.map((trade) => toTradeAnswer(token, trade)) },
      list: { hasMore: last !== undefined, nextCursor: last ? toCursor(last) : null },
    };
  });
  app.get('/tokens/:mint/trades', { schema }, async (request, reply) =>
    cache.send(request, reply, { ...request.query, ...request.params }),
  );
}

/** Amounts as the pool's vaults changed. */
function toTradeAnswer(token: TradedToken, trade: Trade) {
  const { signature, index, side, wallet, priceQuote, priceUsd, valueUsd, finalized } = trade;
  return {
    signature,
    index,
    slot: Number(trade.slot),
    time: trade.blockTime.toISOString(),
    side,
    wallet,
    amount: formatUnits(trade.baseRaw, token.decimals),
    amountRaw: String(trade.baseRaw),
    quoteAmount: formatUnits(trade.quoteRaw, token.quoteDecimals),
    quoteAmountRaw: String(trade.quoteRaw),
    priceQuote,
    priceUsd,
    valueUsd,
    finalized,
  };
}
