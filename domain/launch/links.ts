import { AppError } from '../errors.ts';

const MAX_LINK_LENGTH = 200;

/** Host names that never belong to a public site (RFC 6761, RFC 6762, RFC 8375, common private suffixes). */
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
 * Parses a link that goes into permanent metadata: a public HTTPS URL without credentials, at most 200 characters.
 * `field` names it in the error. Throws AppError `invalid_request`.
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

/** Where a name alone leads, and which hosts are the service's own. */
const SOCIAL_SITES = {
  twitter: { home: 'x.com', hosts: ['x.com', 'twitter.com'] },
  telegram: { home: 't.me', hosts: ['t.me', 'telegram.me'] },
} as const;

/**
 * Parses a social link as people write them: `@name`, `x.com/name` or `t.me/name` without a scheme, or a public HTTPS URL.
 * Answers an HTTPS URL. Throws AppError `invalid_request`.
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
  return parsePublicLink(field, isOwn ? `https://${bare}` : text.trim());
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
