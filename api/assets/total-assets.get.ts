import Type, { type Static } from 'typebox';
import * as tokens from '../../db/tokens.ts';
import type { TokenRecord } from '../../db/tokens.ts';
import { address, count, moment, record, text } from '../answers/fields.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { clamped } from '../schemas/parameters.ts';
import { platformLogoUrl } from './logo.get.ts';

/** A larger `limit` becomes this. */
const MOST = 1_000;

export const AssetsQuerySchema = Type.Object(
  {
    limit: Type.Integer(
      clamped({ minimum: 1, maximum: MOST, default: 500, description: `Entries at most, capped at ${MOST}` }),
    ),
    offset: Type.Integer(
      clamped({ minimum: 0, maximum: 1_000_000_000, default: 0, description: 'Entries to leave out' }),
    ),
    order: Type.Enum(['oldest', 'newest'], {
      default: 'oldest',
      description: '`oldest` appends new launches at the end, so that paging misses and repeats none',
    }),
  },
  { additionalProperties: false },
);

const AssetSchema = record({
  address: address('Mint'),
  name: text('Name'),
  symbol: text('Symbol'),
  decimals: count('Decimals'),
  logoUrl: text('Logo'),
  url: text('Page of the token'),
  pool: address('Pool'),
  quoteMint: address('Mint of the paired token'),
  quoteSymbol: text('Its symbol'),
  creator: address('Wallet that launched it'),
  createdAt: moment('Launch'),
});

export const AssetsSchema = record({
  platform: record({ logoUrl: text('Logo of the platform') }),
  pagination: record({
    limit: count('Entries at most'),
    offset: count('Entries that were left out'),
    order: Type.Enum(['oldest', 'newest']),
    hasMore: Type.Boolean({ description: 'Whether there are more behind them' }),
  }),
  assets: Type.Array(AssetSchema),
});

const schema = { hide: true, querystring: AssetsQuerySchema, response: responses(AssetsSchema) };

/** The edge cache has a minute by specification; memory only collapses requests. */
const LIFE: ReadLife = { memorySeconds: 1, seconds: 60, staleSeconds: 0, entries: 50, mostSeconds: 90 };

/** `GET {site_url}/api/public/total-assets`: identity of every listed token. */
export function totalAssetsGet(app: ApiInstance, { reads, config }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ limit, offset, order }: Static<typeof AssetsQuerySchema>) => {
    const page = await tokens.assetIndex(reads, { limit, offset, order });
    const data: Static<typeof AssetsSchema> = {
      platform: { logoUrl: platformLogoUrl(config.siteUrl) },
      pagination: { limit, offset, order, hasMore: page.hasMore },
      assets: page.tokens.map(toAsset),
    };
    return { data };
  });
  app.get('/api/public/total-assets', { schema, config: { rateGroup: 'assetIndex' } }, async (request, reply) =>
    cache.send(request, reply, request.query),
  );
}

function toAsset({ mint, createdAt, ...token }: TokenRecord): Static<typeof AssetSchema> {
  const { name, symbol, decimals, logoUrl, url, pool, quoteMint, quoteSymbol, creator } = token;
  return {
    address: mint,
    name,
    symbol,
    decimals,
    logoUrl,
    url,
    pool,
    quoteMint,
    quoteSymbol,
    creator,
    createdAt: createdAt.toISOString(),
  };
}
