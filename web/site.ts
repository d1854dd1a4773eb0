/** Reads a meta tag of index.html; the server writes some. */
function meta(name: string): string {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? '';
}

export const SITE_NAME = meta('application-name');

export const API_ROOT = new URL(meta('slipway:api'), location.origin).href;

/** Address of the client's package; empty where the server has none. */
export const CLIENT_ADDRESS = meta('slipway:client');

const IMAGE_ORIGINS = new Set([location.origin, ...meta('slipway:image-origins').split(' ').filter(Boolean)]);

/** True for images of site and store: no other host learns about visitors. */
export function isOwnImage(url: string): boolean {
  return URL.canParse(url) && IMAGE_ORIGINS.has(new URL(url).origin);
}
