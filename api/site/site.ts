import fastifyStatic from '@fastify/static';
import { createCache } from 'async-cache-dedupe';
import bs58 from 'bs58';
import Type from 'typebox';
import type { StorageConfig } from '../../config/storage.ts';
import { findListedToken } from '../../db/market/listed-token.ts';
import { clientAddress, type ClientPackage } from '../../domain/client-package.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import type { LostPage } from '../plugins/known-methods.ts';
import { findQuoteToken } from '../tokens/quote-token.ts';
import { registerForCrawlers } from './for-crawlers.ts';
import { type Head, withHead } from './head.ts';
import { type IndexPage, readIndexPage } from './index-page.ts';
import { pageHeaders } from './security.ts';
import { quoteHead, tokenHead } from './token-head.ts';

const PAGES: readonly (readonly [path: string, title: string, description: string])[] = [
  [
    '/',
    'Explore',
    'Tokens that were launched here: prices, volume, graduation, fees and rewards, live from the chain.',
  ],
  ['/launch', 'Launch a token', 'Sign one payment and get a mint, a pool and locked liquidity, or pay nothing.'],
  ['/creator', 'My launches', 'What a creator launched, what can be claimed, and claiming it.'],
  ['/creator/:wallet', 'Launches of a wallet', 'What a wallet launched, and the fees that its tokens earned.'],
  ['/rewards', 'Rewards', 'Coins whose trading pays their holders: what was paid, to how many, and when.'],
  ['/rewards/:wallet', 'Rewards of a wallet', 'The reward coins that a wallet holds, and what each of them has paid.'],
  ['/wallet/:wallet', 'A wallet', 'What a wallet launched, can claim, was paid as a holder, claimed and traded.'],
  ['/platform', 'The platform', 'What the platform earns, buys back and burns, day by day.'],
];

/** Pages without a parameter. */
const FIXED_PAGES = PAGES.map(([path]) => path).filter((path) => !path.includes(':'));

const FileParamsSchema = Type.Object({ name: Type.String() }, { additionalProperties: false });
/** A mistyped address gets a page that says so. */
const TokenParamsSchema = Type.Object({ mint: Type.String() }, { additionalProperties: false });

/** Names contain a hash of the content. */
const ASSETS = { maxAge: '365d', immutable: true } as const;

/** Many clients follow one link. */
const HEAD_SECONDS = 5;

function imageOriginsOf(storage: StorageConfig): string[] {
  return storage.kind === 'files' ? [] : [new URL(storage.gatewayUrl).origin];
}

/**
 * Serves `WEB_DIR`: index.html for every page, with a correct head without JavaScript, and its files. Serves nothing
 * without `WEB_DIR`, and returns null then.
 */
export async function registerSite(
  app: ApiInstance,
  deps: ApiDeps,
  client: ClientPackage | null,
): Promise<LostPage | null> {
  const { webDirectory, storage, siteUrl } = deps.config;
  if (webDirectory === null) return null;
  const imageOrigins = imageOriginsOf(storage);
  const page = await readIndexPage(webDirectory, {
    imageOrigins: imageOrigins.join(' '),
    clientAddress: client && clientAddress(siteUrl, client.fileName),
  });
  await app.register(fastifyStatic, { root: webDirectory, serve: false, preCompressed: true });
  app.get(
    '/assets/:name',
    { schema: { hide: true, params: FileParamsSchema }, config: { rateGroup: 'none', isDocument: true } },
    async (request, reply) => reply.sendFile(`assets/${request.params.name}`, ASSETS),
  );
  const headers = pageHeaders(imageOrigins);
  registerPages(app, deps, page, headers);
  registerForCrawlers(app, deps, { siteName: page.siteName, pages: FIXED_PAGES });
  const lost = withHead(page.html, page.siteName, lostHead(siteUrl, page.siteName));
  return (reply) => reply.code(404).headers(headers).type('text/html; charset=utf-8').send(lost);
}

function registerPages(
  app: ApiInstance,
  deps: ApiDeps,
  { html, siteName }: IndexPage,
  headers: Readonly<Record<string, string>>,
): void {
  const { siteUrl } = deps.config;
  const config = { rateGroup: 'none' } as const;
  for (const [path, title, description] of PAGES) {
    app.get(path, { schema: { hide: true }, config }, async ({ url }, reply) => {
      const head = { title: `${title} · ${siteName}`, description, url: `${siteUrl}${url.split('?', 1)[0]}` };
      return reply
        .headers(headers)
        .type('text/html; charset=utf-8')
        .send(withHead(html, siteName, head));
    });
  }
  const headOf = tokenHeads(deps, siteName);
  // Rate limited: it queries the database.
  app.get('/tokens/:mint', { schema: { hide: true, params: TokenParamsSchema } }, async (request, reply) => {
    const head = await headOf(request.params.mint);
    return reply
      .code(head === null ? 404 : 200)
      .headers(headers)
      .type('text/html; charset=utf-8')
      .send(withHead(html, siteName, head ?? unknownToken(siteUrl, siteName)));
  });
}

const ADDRESS_BYTES = 32;

/**
 * Collapses requests; null without a token. Only valid addresses are looked up and only existing tokens cached:
 * invented ones cannot evict others.
 */
function tokenHeads(deps: ApiDeps, siteName: string): (mint: string) => Promise<Head | null> {
  const { siteUrl } = deps.config;
  const cache = createCache({
    ttl: (kept) => (kept === null ? 0 : HEAD_SECONDS),
    storage: { type: 'memory', options: { size: 500 } },
  }).define('read', async (mint: string): Promise<Head | null> => {
    const launched = await findListedToken(deps.db, mint);
    if (launched) return tokenHead(siteUrl, siteName, launched);
    const quote = await findQuoteToken(deps.db, mint);
    return quote && quoteHead(siteUrl, siteName, quote);
  });
  return async (mint) => (bs58.decodeUnsafe(mint)?.length === ADDRESS_BYTES ? cache.read(mint) : null);
}

function lostHead(siteUrl: string, siteName: string): Head {
  return { title: `Not found · ${siteName}`, description: 'There is no such page here.', url: siteUrl };
}

function unknownToken(siteUrl: string, siteName: string): Head {
  return {
    title: `No such token · ${siteName}`,
    description: 'No token with this address was launched here.',
    url: siteUrl,
  };
}
