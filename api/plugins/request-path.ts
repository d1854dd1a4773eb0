import type { KnownPaths } from './known-methods.ts';

/** The site or API root, which may have been configured with a slash at its end, and the slash of the path. */
const ROOT = /^\/+(?:api\/+public\/+(?:v1\/+)?)?/;

/**
 * Returns the URL (path and query) as the router knows it: without a slash at its end, and with one slash where a base
 * URL and a path meet. `/tokens/` stays: it may be a token whose mint is empty.
 */
export function plainUrl(url: string, { isKnown }: Pick<KnownPaths, 'isKnown'>): string {
  const end = url.indexOf('?');
  const [path, query] = end < 0 ? [url, ''] : [url.slice(0, end), url.slice(end)];
  const joined = path.replace(ROOT, (root) => root.replaceAll(/\/+/g, '/'));
  return withoutEnd(joined, isKnown) + query;
}

function withoutEnd(path: string, isKnown: KnownPaths['isKnown']): string {
  // Begun at the first slash of a run alone: from each, a path of slashes would take seconds.
  const shorter = path.replace(/(?<!\/)\/+$/, '');
  const isSame = shorter === path || shorter === '';
  return isSame || !isKnown(shorter) || isKnown(`${shorter}/x`) ? path : shorter;
}
