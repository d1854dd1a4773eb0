import Type, { type Static } from 'typebox';
import { listTokens, TOKEN_SORTS, type TokenFilter } from '../../db/market/token-list.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { AddressSchema, categoryParameter, modeParameter, pageParameters } from '../schemas/parameters.ts';
import { toTokenAnswer } from './token-answer.ts';

/** Query of `GET /tokens`. */
export const TokensQuerySchema = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        // At least one character that is seen, none that controls.
        pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]{1,64}$',
        description:
          'Part of the name or symbol in any case, or the beginning of the mint; one or two characters match the beginning of name, symbol or mint',
      }),
    ),
    sort: Type.Enum([...TOKEN_SORTS], {
      default: 'marketCap',
      description: 'Order, the greatest or newest first; `volume` is that of the last 24 hours in USD',
    }),
    ...modeParameter,
    status: Type.Optional(
      Type.Enum(['new', 'aboutToGraduate', 'graduated'], { description: 'Only tokens of this graduation status' }),
    ),
    quoteMint: Type.Optional({ ...AddressSchema, description: 'Only tokens paired with this one' }),
    ...categoryParameter,
    ...pageParameters,
  },
  { additionalProperties: false },
);

type TokensQuery = Static<typeof TokensQuerySchema>;

const schema = {
  tags: ['Data'],
  summary: 'List and search tokens',
  description:
    'Every token with a live platform pool, with market data. Reward tokens carry `transferFee.bps`, tokens in the buyback ' +
    'rankings `flywheel.active`. Prices and USD are decimal strings.',
  querystring: TokensQuerySchema,
  response: responses(),
};

/** A trade shows in the list within this much. */
export const TOKEN_LIFE: ReadLife = { memorySeconds: 1, seconds: 2, staleSeconds: 10 };

/** `GET /tokens`: tokens with their markets, a page. */
export function tokensGet(app: ApiInstance, { db }: ApiDeps): void {
  const cache = createReadCache(TOKEN_LIFE, async ({ sort, page, pageSize, q, ...filter }: TokensQuery) => {
    const { tokens: rows, hasMore } = await listTokens(db, withSearch(filter, q), sort, { page, pageSize });
    return { data: { tokens: rows.map(toTokenAnswer) }, list: { page, pageSize, hasMore } };
  });
  app.get('/tokens', { schema }, async (request, reply) => cache.send(request, reply, request.query));
}

function withSearch(filter: TokenFilter, q: string | undefined): TokenFilter {
  return q === undefined ? filter : { ...filter, q: q.trim() };
}
