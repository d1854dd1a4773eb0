import { createCache } from 'async-cache-dedupe';
import Type from 'typebox';
import type { Db } from '../../db/connect.ts';
import { mintsListed, newestListingNumber } from '../../db/tokens.ts';
import { AppError } from '../../domain/errors.ts';
import { createBoundedCache } from '../cache/bounded-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';

export interface CrawledSite {
  readonly siteName: string;
  /** Paths of the pages that are about nothing in particular. */
  readonly pages: readonly string[];
}

const UNCOUNTED = { schema: { hide: true }, config: { rateGroup: 'none' } } as const;

const FOR_A_DAY = { 'cache-control': 'public, max-age=86400' };

/** Serves what crawlers, browsers and finders of vulnerabilities ask of every site. */
export function registerForCrawlers(app: ApiInstance, deps: ApiDeps, site: CrawledSite): void {
  const { siteUrl, securityContact } = deps.config;
  const serve = (path: string, type: string, body: () => string) =>
    app.get(path, UNCOUNTED, async (_request, reply) => reply.headers(FOR_A_DAY).type(type).send(body()));
  serve('/robots.txt', 'text/plain; charset=utf-8', () => robotsOf(siteUrl));
  serve('/manifest.webmanifest', 'application/manifest+json', () => manifestOf(site.siteName));
  if (securityContact !== null)
    serve('/.well-known/security.txt', 'text/plain; charset=utf-8', () =>
      securityOf(siteUrl, securityContact, deps.now()),
    );
  app.get('/favicon.ico', UNCOUNTED, async (_request, reply) => reply.headers(FOR_A_DAY).redirect('/logo.svg'));
  registerSiteMap(app, deps, site);
}

function robotsOf(siteUrl: string): string {
  return `User-agent: *\nDisallow: /api/\nSitemap: ${siteUrl}/sitemap.xml\n`;
}

function manifestOf(siteName: string): string {
  const icons = [{ src: '/logo.svg', sizes: 'any', type: 'image/svg+xml' }];
  return JSON.stringify({ name: siteName, short_name: siteName, start_url: '/', display: 'minimal-ui', icons });
}

const YEAR_MS = 365 * 24 * 3_600_000;

/** RFC 9116. It expires a year from now, so an abandoned copy is known to be old. */
function securityOf(siteUrl: string, contact: string, now: Date): string {
  const expires = new Date(now.getTime() + YEAR_MS).toISOString();
  return `Contact: ${contact}\nExpires: ${expires}\nCanonical: ${siteUrl}/.well-known/security.txt\n`;
}

/** Tokens in one part of the site map. A crawler takes up to 50,000 addresses. */
const TOKENS_IN_PART = 5_000n;

/** Crawlers come back after hours. */
const MAP_LIFE = { seconds: 600, entries: 5 };

const PartSchema = Type.Object(
  { part: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }) },
  { additionalProperties: false },
);

/** Part 0 has the pages, part n the nth 5,000 listed tokens. */
function registerSiteMap(app: ApiInstance, { reads, config: { siteUrl } }: ApiDeps, { pages }: CrawledSite): void {
  const sizeOf = ({ xml }: { readonly xml: string }) => xml.length;
  const numbers = createCache({ ttl: MAP_LIFE.seconds, storage: { type: 'memory' } }).define(
    'last',
    async () => Number((await newestListingNumber(reads)) / TOKENS_IN_PART) + 1,
  );
  const partOf = createBoundedCache({ ...MAP_LIFE, sizeOf }, async (part: number) => {
    const paths = part === 0 ? pages : await tokenPaths(reads, part);
    return {
      xml: xmlOf(
        'urlset',
        'url',
        paths.map((path) => siteUrl + path),
      ),
    };
  });
  app.get('/sitemap.xml', { schema: { hide: true } }, async (_request, reply) => {
    const last = await numbers.last();
    const parts = Array.from({ length: last + 1 }, (_, part) => `${siteUrl}/sitemap/${part}`);
    return reply.type('application/xml').send(xmlOf('sitemapindex', 'sitemap', parts));
  });
  app.get('/sitemap/:part', { schema: { hide: true, params: PartSchema } }, async (request, reply) => {
    const { part } = request.params;
    const last = await numbers.last();
    // An invented part must not be kept in the place of a real one.
    if (part > last) throw new AppError('not_found', `the site map ends with part ${last}, there is no ${part}`);
    return reply.type('application/xml').send((await partOf(part)).xml);
  });
}

async function tokenPaths(reads: Db, part: number): Promise<string[]> {
  const from = BigInt(part - 1) * TOKENS_IN_PART;
  const mints = await mintsListed(reads, from, from + TOKENS_IN_PART);
  return mints.map((mint) => `/tokens/${mint}`);
}

function xmlOf(list: string, entry: string, addresses: readonly string[]): string {
  const entries = addresses.map((address) => `<${entry}><loc>${address}</loc></${entry}>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${list} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}\n</${list}>\n`;
}
