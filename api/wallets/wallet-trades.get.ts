import Type, { type Static } from 'typebox';
import { listWalletTrades } from '../../db/market/wallet-trades.ts';
import { address, record, text } from '../answers/fields.ts';
import { CursorPaginationSchema, pageOf } from '../answers/pages.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { cursorParameter, limitParameter } from '../schemas/parameters.ts';
import { tradeAnswer, tradeFields } from '../tokens/trade-answer.ts';
import { fromCursor, toCursor } from '../tokens/trade-cursor.ts';
import { requireWallet, WalletParamsSchema } from './wallet-params.ts';

const TradesQuerySchema = Type.Object({ ...limitParameter, ...cursorParameter }, { additionalProperties: false });

const WalletTradeSchema = record(
  {
    mint: address('Mint of the traded token'),
    symbol: text('Its symbol'),
    quoteMint: address('Mint of the paired token'),
    quoteSymbol: text('Its symbol'),
    ...tradeFields,
  },
  'A trade of the wallet',
  'WalletTrade',
);

const WalletTradesSchema = record({
  wallet: address('The wallet'),
  trades: Type.Array(WalletTradeSchema, { description: 'The newest first' }),
  pagination: CursorPaginationSchema,
});

const schema = {
  tags: ['Data'],
  operationId: 'listWalletTrades',
  summary: 'Trades of a wallet',
  description:
    'Swaps of this wallet in the pools of all tokens, newest first. Page with `cursor`; new trades do not move a page. A trade ' +
    'that is not `finalized` can still be reverted by a fork.',
  params: WalletParamsSchema,
  querystring: TradesQuerySchema,
  response: responses(WalletTradesSchema),
};

const LIFE: ReadLife = { memorySeconds: 1, seconds: 1, staleSeconds: 5, entries: 500 };

type TradesInput = Static<typeof TradesQuerySchema> & Static<typeof WalletParamsSchema>;

export function walletTradesGet(app: ApiInstance, { reads }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ wallet, limit, cursor }: TradesInput) => {
    const mark = cursor === undefined ? null : fromCursor(wallet, cursor);
    const listed = await listWalletTrades(reads, wallet, mark, limit + 1);
    const { rows, pagination } = pageOf(listed, limit, (last) => toCursor(wallet, last));
    const trades = rows.map((trade) => ({
      mint: trade.mint,
      symbol: trade.symbol,
      quoteMint: trade.quoteMint,
      quoteSymbol: trade.quoteSymbol,
      ...tradeAnswer(trade, trade),
    }));
    const data: Static<typeof WalletTradesSchema> = { wallet, trades, pagination };
    return { data };
  });
  app.get('/wallets/:wallet/trades', { schema }, async (request, reply) =>
    cache.send(request, reply, { ...request.query, wallet: requireWallet(request.params.wallet) }),
  );
}
