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

function isPublicHost(host: string): boolean {
  const labels = host.replace(/\.$/, '').split('.');
  const last = labels.at(-1) ?? '';
  const isAddress = host.startsWith('[') || /^\d+$/.test(last);
  return labels.length >= 2 && !isAddress && !PRIVATE_SUFFIXES.includes(last);
}

function bad(field: string, text: string, what: string): AppError {
  return new AppError('invalid_request', `${field} "${text.slice(0, 80)}" ${what}`);
}
