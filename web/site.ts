/** What index.html says about this installation; the server writes some of it. */
function meta(name: string): string {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? '';
}

/** What the site calls itself. */
export const SITE_NAME = meta('application-name');

/** Root of the API, absolute. */
export const API_ROOT = new URL(meta('slipway:api'), location.origin).href;

/** Root of the local desk, absolute; null where there is none, which is everywhere but on a stack of one's own. */
export const DESK_ROOT = meta('slipway:desk') === '' ? null : new URL(meta('slipway:desk'), location.origin).href;

const IMAGE_ORIGINS = new Set([location.origin, ...meta('slipway:image-origins').split(' ').filter(Boolean)]);

/** Whether a picture may be shown: this site's own and the store's only, so that no other host learns who looks. */
export function isOwnImage(url: string): boolean {
  return URL.canParse(url) && IMAGE_ORIGINS.has(new URL(url).origin);
}
