import { AppError } from '../errors.ts';

const MAX_LINK_LENGTH = 200;

/** Suffixes that are never a public site (RFC 6761, RFC 6762, RFC 8375, common private suffixes). */
const PRIVATE_SUFFIXES = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'test',
  'example',
  'invalid',
  'onion',
  'arpa',
];

/**
 * Parses a public HTTPS URL without credentials, at most 200 characters. `field` names it.
 * @throws AppError `invalid_request`
 */
export function parsePublicLink(field: string, text: string): string {
  if (text.length > MAX_LINK_LENGTH)
    throw bad(field, text, `has ${text.length} characters, at most ${MAX_LINK_LENGTH} are allowed`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') throw bad(field, text, 'is not a public HTTPS URL');
  if (url.username || url.password) throw bad(field, text, 'carries a user name or password');
  if (!isPublicHost(url.hostname)) throw bad(field, text, `has the host "${url.hostname}", which is not public`);
  return url.href;
}

/** `home` completes a bare name; `hosts` are the service's own, with subdomains. */
const SOCIAL_SITES = {
  twitter: { home: 'x.com', hosts: ['x.com', 'twitter.com'] },
  telegram: { home: 't.me', hosts: ['t.me', 'telegram.me', 'telegram.dog'] },
} as const;

/**
 * Parses `@name`, `x.com/name` or `t.me/name` without a scheme, or an HTTPS URL of the service. A link elsewhere is
 * refused: others show it under the service's name.
 * @throws AppError `invalid_request`
 */
export function parseSocialLink(field: keyof typeof SOCIAL_SITES, text: string): string {
  const { home, hosts } = SOCIAL_SITES[field];
  const name = /^@(\w{1,64})$/.exec(text.trim())?.[1];
  if (name !== undefined) return `https://${home}/${name}`;
  const bare = text
    .trim()
    .replace(/^http:\/\//i, '')
    .replace(/^www\./i, '');
  const isOwn = hosts.some((host) => bare.toLowerCase().startsWith(`${host}/`));
  const url = parsePublicLink(field, isOwn ? `https://${bare}` : text.trim());
  const { hostname } = new URL(url);
  if (hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))) return url;
  throw bad(field, text, `leads to ${hostname}; give @name or a URL of ${hosts.join(' or ')}, others as website`);
}

function isPublicHost(host: string): boolean {
  const labels = host.replace(/\.$/, '').split('.');
  const last = labels.at(-1) ?? '';
  const isAddress = host.startsWith('[') || /^\d+$/.test(last);
  return labels.length >= 2 && !isAddress && !PRIVATE_SUFFIXES.includes(last);
}

function bad(field: string, text: string, what: string): AppError {
  return new AppError('invalid_request', `${field} "${text.slice(0, 80)}" ${what}`);
}
