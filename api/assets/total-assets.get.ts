import Type, { type Static } from 'typebox';
import * as tokens from '../../db/tokens.ts';
import type { TokenRecord } from '../../db/tokens.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { LOGO_PATH } from './logo.get.ts';

/** Most entries of one answer; a greater `limit` gets this many. */
const MOST = 1_000;

/** Query of the asset index. */
export const AssetsQuerySchema = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, default: 500, description: `Entries at most, capped at ${MOST}` }),
    offset: Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0, description: 'Entries to leave out' }),
    order: Type.Enum(['oldest', 'newest'], {
      default: 'oldest',
      description: '`oldest` appends new launches at the end, so that paging misses and repeats none',
    }),
  },
  { additionalProperties: false },
);

const schema = { hide: true, querystring: AssetsQuerySchema, response: responses() };

/** A minute in memory and at the edge together, as the specification says, and nothing older; in memory only as long as it takes to collapse a crowd. */
const LIFE: ReadLife = { memorySeconds: 5, seconds: 55, staleSeconds: 0, entries: 50 };

/** `GET {site_url}/api/public/total-assets`: every listed token, identity only, for exchanges and aggregators. */
export function totalAssetsGet(app: ApiInstance, { db, config }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ limit, offset, order }: Static<typeof AssetsQuerySchema>) => {
    const page = await tokens.assetIndex(db, { limit: Math.min(limit, MOST), offset, order });
    return {
      data: {
        platform: { logoUrl: `${config.siteUrl}${LOGO_PATH}` },
        pagination: { limit: Math.min(limit, MOST), offset, order, hasMore: page.hasMore },
        assets: page.tokens.map(toAsset),
      },
    };
  });
  app.get('/api/public/total-assets', { schema, config: { rateGroup: 'assetIndex' } }, async (request, reply) =>
    cache.send(request, reply, request.query),
  );
}

function toAsset({ mint, createdAt, ...token }: TokenRecord) {
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
