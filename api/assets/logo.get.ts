import type { ApiInstance } from '../instance.ts';
import { FILE_HEADERS } from '../plugins/headers.ts';

/** Relative to the origin. */
const LOGO_PATH = '/logo.svg';

export function platformLogoUrl(siteUrl: string): string {
  return `${siteUrl}${LOGO_PATH}`;
}

/** A hull on a slipway. */
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#0b3954"/>' +
  '<path d="M8 50 56 38v6L8 56z" fill="#ff6663"/><path d="M14 30h36l-6 12-26 6z" fill="#fff"/>' +
  '<path d="M31 10v17h-13z" fill="#bfd7ea"/></svg>';

/** `GET {siteUrl}/logo.svg` */
export function logoGet(app: ApiInstance): void {
  app.get(LOGO_PATH, { schema: { hide: true }, config: { rateGroup: 'none' } }, async (_request, reply) =>
    reply
      .headers({ ...FILE_HEADERS, 'cache-control': 'public, max-age=86400' })
      .type('image/svg+xml')
      .send(LOGO),
  );
}
