import Type, { type Static } from 'typebox';
import { countTokens, listTokens, TOKEN_SORTS, type TokenFilter } from '../../db/market/token-list.ts';
import { networkOf } from '../../domain/network.ts';
import { NetworkSchema, record } from '../answers/fields.ts';
import { createCounter, PaginationSchema, readPage } from '../answers/pages.ts';
import { platformLogoUrl } from '../assets/logo.get.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import {
  AddressSchema,
  airdropFilter,
  airdropParameter,
  categoryParameter,
  defaultWhenUnknown,
  modeParameter,
  pageParameters,
  rangeParameters,
  SEARCHED,
  SEARCHED_IN_WORDS,
} from '../schemas/parameters.ts';
import { createSimilarTokens, SIMILAR_SECONDS } from './similar-tokens.ts';
import { toTokenAnswer } from './token-answer.ts';
import { TokenSchema } from './token.schema.ts';

export const TokensQuerySchema = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        pattern: SEARCHED,
        description:
          'Part of the name or symbol in any case, or the beginning of the mint; one or two characters match the beginning of name, symbol or mint',
        'x-must': SEARCHED_IN_WORDS,
      }),
    ),
    sort: Type.Enum(
      [...TOKEN_SORTS],
      defaultWhenUnknown({
        default: 'marketCap',
        description:
          'Order, the greatest or newest first; `volume` is that of the last 24 hours in USD. An unknown value is taken as the default; `data.sort` says which order was applied',
      }),
    ),
    ...modeParameter,
    status: Type.Optional(
      Type.Enum(['new', 'aboutToGraduate', 'graduated'], { description: 'Only tokens of this graduation status' }),
    ),
    quoteMint: Type.Optional({ ...AddressSchema, description: 'Only tokens paired with this one' }),
    ...categoryParameter,
    ...airdropParameter,
    ...rangeParameters,
    ...pageParameters,
  },
  { additionalProperties: false },
);

type TokensQuery = Static<typeof TokensQuerySchema>;

export const TokensSchema = record({
  tokens: Type.Array(TokenSchema),
  sort: Type.Enum([...TOKEN_SORTS], { description: 'Order of the tokens' }),
  pagination: PaginationSchema,
  network: NetworkSchema,
});

const schema = {
  tags: ['Data'],
  operationId: 'listTokens',
  summary: 'List and search tokens',
  description:
    'Every token with a live platform pool, with market data; one that an admin hid is in `/launches` alone. Reward tokens carry `transferFee.bps`, tokens in the buyback ' +
    'rankings `flywheel.active`.',
  querystring: TokensQuerySchema,
  response: responses(TokensSchema),
};

/** Cache life, which bounds the time until a trade shows. */
export const TOKEN_LIFE: ReadLife = { memorySeconds: 1, seconds: 2, staleSeconds: 10 };

export function tokensGet(app: ApiInstance, { reads, launching, config }: ApiDeps): void {
  const logoUrl = platformLogoUrl(config.siteUrl);
  const network = networkOf(launching.scope.genesisHash);
  const counted = createCounter((filter: TokenFilter) => countTokens(reads, filter));
  const similarTo = createSimilarTokens(reads);
  const life = { ...TOKEN_LIFE, sourceSeconds: SIMILAR_SECONDS };
  const cache = createReadCache(life, async ({ sort, page, pageSize, q, airdrop, ...rest }: TokensQuery) => {
    const filter = withSearch({ ...rest, ...airdropFilter(airdrop) }, q);
    const { rows, pagination } = await readPage(
      { page, pageSize },
      {
        count: () => counted(filter),
        list: async (paging, total) => {
          const slice = await listTokens(reads, filter, sort, paging, total ?? undefined);
          return { rows: slice.tokens, hasMore: slice.hasMore };
        },
      },
    );
    const lookAlikes = await similarTo(rows);
    const data: Static<typeof TokensSchema> = {
      tokens: rows.map((token, place) => toTokenAnswer(token, logoUrl, lookAlikes[place] ?? null)),
      sort,
      pagination,
      network,
    };
    return { data };
  });
  app.get('/tokens', { schema }, async (request, reply) => cache.send(request, reply, request.query));
}

function withSearch(filter: TokenFilter, q: string | undefined): TokenFilter {
  return q === undefined ? filter : { ...filter, q: q.trim() };
}
