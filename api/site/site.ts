import fastifyStatic from '@fastify/static';
import { createCache } from 'async-cache-dedupe';
import Type from 'typebox';
import type { StorageConfig } from '../../config/storage.ts';
import { findListedToken } from '../../db/market/listed-token.ts';
import type { ApiDeps } from '../deps.ts';
import { isDeskOffered } from '../desk/desk.ts';
import type { ApiInstance } from '../instance.ts';
import { findQuoteToken } from '../tokens/quote-token.ts';
import { type Head, withHead } from './head.ts';
import { type IndexPage, readIndexPage } from './index-page.ts';
import { pageHeaders } from './security.ts';
import { quoteHead, tokenHead } from './token-head.ts';

/** Pages whose head does not depend on data: path, and what it is. */
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
  ['/platform', 'The platform', 'What the platform earns, buys back and burns, day by day.'],
];

const FileParamsSchema = Type.Object({ name: Type.String() }, { additionalProperties: false });
/** Any text: who mistypes an address gets a page that says so. */
const TokenParamsSchema = Type.Object({ mint: Type.String() }, { additionalProperties: false });

/** Names of built files carry the hash of what is in them. */
const ASSETS = { maxAge: '365d', immutable: true } as const;

/** Seconds for which the head of a token's page is kept: crowds follow one link. */
const HEAD_SECONDS = 5;

/** Where logos come from beside the site itself. */
function imageOriginsOf(storage: StorageConfig): string[] {
  return storage.kind === 'files' ? [] : [new URL(storage.gatewayUrl).origin];
}

/**
 * Serves the built site in `WEB_DIR` at the site's URL: index.html for every page, with a head that is right without JavaScript, and the
 * files it loads. Without `WEB_DIR` nothing is registered: a CDN serves the site, or nobody does.
 */
export async function registerSite(app: ApiInstance, deps: ApiDeps): Promise<void> {
  const { webDirectory, storage } = deps.config;
  if (webDirectory === null) return;
  const imageOrigins = imageOriginsOf(storage);
  const desk = isDeskOffered(deps.config) ? '/local' : '';
  const page = await readIndexPage(webDirectory, { desk, imageOrigins: imageOrigins.join(' ') });
  await app.register(fastifyStatic, { root: webDirectory, serve: false, preCompressed: true });
  app.get(
    '/assets/:name',
    { schema: { hide: true, params: FileParamsSchema }, config: { rateGroup: 'none' } },
    async (request, reply) => reply.sendFile(`assets/${request.params.name}`, ASSETS),
  );
  registerPages(app, deps, page, pageHeaders(imageOrigins));
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
  app.get('/tokens/:mint', { schema: { hide: true, params: TokenParamsSchema }, config }, async (request, reply) => {
    const head = await headOf(request.params.mint);
    return reply
      .code(head === null ? 404 : 200)
      .headers(headers)
      .type('text/html; charset=utf-8')
      .send(withHead(html, siteName, head ?? unknownToken(siteUrl, siteName)));
  });
}

/** Reads heads of tokens' pages, each once for all who ask at once; null where there is no such token. */
function tokenHeads(deps: ApiDeps, siteName: string): (mint: string) => Promise<Head | null> {
  const { siteUrl } = deps.config;
  const cache = createCache({ ttl: HEAD_SECONDS, storage: { type: 'memory', options: { size: 500 } } }).define(
    'read',
    async (mint: string): Promise<{ readonly head: Head | null }> => {
      const launched = await findListedToken(deps.db, mint);
      if (launched) return { head: tokenHead(siteUrl, siteName, launched) };
      const quote = await findQuoteToken(deps, mint);
      return { head: quote && quoteHead(siteUrl, siteName, quote) };
    },
  );
  return async (mint) => (await cache.read(mint)).head;
}

function unknownToken(siteUrl: string, siteName: string): Head {
  return {
    title: `No such token · ${siteName}`,
    description: 'No token with this address was launched here.',
    url: siteUrl,
  };
}
