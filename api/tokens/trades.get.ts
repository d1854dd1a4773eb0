import Type, { type Static } from 'typebox';
import { listTrades } from '../../db/market/trades.ts';
import { address, record } from '../answers/fields.ts';
import { CursorPaginationSchema, pageOf } from '../answers/pages.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { cursorParameter, limitParameter, MintParamsSchema } from '../schemas/parameters.ts';
import { type TradeAnswer, tradeAnswer, tradeFields } from './trade-answer.ts';
import { fromCursor, toCursor } from './trade-cursor.ts';
import { requireTradedToken } from './traded-token.ts';

const TradesQuerySchema = Type.Object(
  {
    ...limitParameter,
    ...cursorParameter,
  },
  { additionalProperties: false },
);

const { signature, index, slot, tradedAt, side, ...figures } = tradeFields;

const TradeSchema = record({
  signature,
  index,
  slot,
  tradedAt,
  side,
  wallet: address('Wallet that traded'),
  ...figures,
});

export const TradesSchema = record({
  mint: address('Mint'),
  quoteMint: address('Mint of the paired token'),
  trades: Type.Array(TradeSchema),
  pagination: CursorPaginationSchema,
});

const schema = {
  tags: ['Data'],
  operationId: 'listTrades',
  summary: 'Trades of a token',
  description:
    'Swaps of the token’s pool, newest first. Page with `cursor`; new trades do not move a page. A trade that is not ' +
    '`finalized` can still be reverted by a fork.',
  params: MintParamsSchema,
  querystring: TradesQuerySchema,
  response: responses(TradesSchema),
};

const LIFE: ReadLife = { memorySeconds: 1, seconds: 1, staleSeconds: 5 };

type TradesInput = Static<typeof TradesQuerySchema> & Static<typeof MintParamsSchema>;

export function tradesGet(app: ApiInstance, { db, reads }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ mint, limit, cursor }: TradesInput) => {
    const mark = cursor === undefined ? null : fromCursor(mint, cursor);
    const token = await requireTradedToken(db, mint);
    const listed = await listTrades(reads, token.poolNumber, mark, limit + 1);
    const { rows, pagination } = pageOf(listed, limit, (last) => toCursor(mint, last));
    const data: Static<typeof TradesSchema> = {
      mint,
      quoteMint: token.quoteMint,
      trades: rows.map((trade) => ofWallet(trade.wallet, tradeAnswer(token, trade))),
      pagination,
    };
    return { data };
  });
  app.get('/tokens/:mint/trades', { schema }, async (request, reply) =>
    cache.send(request, reply, { ...request.query, ...request.params }),
  );
}

/** Places the wallet after the side, as programs print the row. */
function ofWallet(wallet: string, trade: TradeAnswer): Static<typeof TradeSchema> {
  const { signature, index, slot, tradedAt, side, ...figures } = trade;
  return { signature, index, slot, tradedAt, side, wallet, ...figures };
}
