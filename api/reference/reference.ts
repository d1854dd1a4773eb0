import { hash, randomBytes } from 'node:crypto';
import Fastify from 'fastify';
import { once } from '../../domain/once.ts';
import { BASE_PATH } from '../base-path.ts';
import type { ApiInstance } from '../instance.ts';

/** Relative to the origin. */
const PATH = '/docs';

/** Settings under which nothing is loaded from or reported to another host. */
const SETTINGS = {
  url: `${BASE_PATH}/openapi.full.json`,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
};

const START = `Scalar.createApiReference('#app', ${JSON.stringify(SETTINGS)});\n`;

/** A new package version has a new name. */
const KEPT = { 'cache-control': 'public, max-age=3600' };

/**
 * Serves `/docs`, rendered by Scalar from the full document.
 *
 * @see https://github.com/scalar/scalar
 */
export function registerReference(app: ApiInstance): void {
  const bundle = once(readBundle);
  const route = { schema: { hide: true } };
  app.get(PATH, route, async (_request, reply) => {
    const nonce = randomBytes(16).toString('base64');
    return reply.headers(pageHeaders(nonce)).type('text/html; charset=utf-8').send(page(nonce));
  });
  app.get(`${PATH}/start.js`, route, async (_request, reply) => reply.headers(KEPT).type(JAVASCRIPT).send(START));
  app.get(`${PATH}/scalar.js`, route, async (request, reply) => {
    const { text, etag } = await bundle();
    void reply.headers({ ...KEPT, etag });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type(JAVASCRIPT).send(text);
  });
}

const JAVASCRIPT = 'text/javascript; charset=utf-8';

function pageHeaders(nonce: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { 'content-security-policy': policy.join('; '), 'referrer-policy': 'no-referrer' };
}

function page(nonce: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta property="csp-nonce" content="${nonce}" nonce="${nonce}" />
    <title>Token launch and market data: API reference</title>
    <link rel="icon" href="/logo.svg" />
  </head>
  <body>
    <div id="app"></div>
    <script src="${PATH}/scalar.js"></script>
    <script src="${PATH}/start.js"></script>
  </body>
</html>
`;
}

interface Bundle {
  readonly text: string;
  readonly etag: string;
}

/** Reads four megabytes inside the plugin, extracted on the first request. */
async function readBundle(): Promise<Bundle> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = Fastify();
  try {
    await app.register(scalar, { routePrefix: PATH, configuration: { url: SETTINGS.url } });
    const { statusCode, body } = await app.inject(`${PATH}/js/scalar.js`);
    if (statusCode !== 200) throw new Error(`the API reference's script is not in its package: ${statusCode}`);
    // Not served.
    const text = body.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');
    return { text, etag: `"${hash('sha1', text, 'base64url')}"` };
  } finally {
    await app.close();
  }
}
