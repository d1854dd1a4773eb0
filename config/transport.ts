import { isLoopbackName } from './loopback.ts';

/** Endpoints that give a quorum: so many different hosts. */
const LEAST_HOSTS = 2;

const PROVEN_MODES = ['require', 'verify-ca', 'verify-full'];

/** What transport production refuses. */
export interface Addresses {
  readonly SOLANA_RPC_URL: string;
  readonly SOLANA_WS_URL?: string | undefined;
  readonly DATABASE_URL: string;
}

/**
 * What production refuses of its connections: plain text to anything but this machine, and a chain that is one host's word.
 * No URL is repeated, because each may hold credentials.
 */
export function transportProblems({ SOLANA_RPC_URL, SOLANA_WS_URL, DATABASE_URL }: Addresses): string[] {
  const rpcs = SOLANA_RPC_URL.split(',');
  const hosts = new Set(rpcs.filter((url) => url.startsWith('https://')).map((url) => URL.parse(url)?.hostname));
  return [
    ...(rpcs.every(isPrivate) ? [] : ['SOLANA_RPC_URL names a plain http endpoint, which is refused in production']),
    ...(hosts.size >= LEAST_HOSTS
      ? []
      : ['SOLANA_RPC_URL needs https endpoints of two different hosts in production: one alone could lie']),
    ...(SOLANA_WS_URL === undefined || isPrivate(SOLANA_WS_URL)
      ? []
      : ['SOLANA_WS_URL is a plain ws URL, which is refused in production']),
    ...(isPrivateDatabase(DATABASE_URL)
      ? []
      : [`DATABASE_URL needs sslmode ${PROVEN_MODES.join(' or ')} in production, or a database on this machine`]),
  ];
}

/** True where nobody on the way can read or change what is sent: it is encrypted, or it does not leave this machine. */
export function isPrivate(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null) return false;
  const { protocol, hostname } = parsed;
  return protocol === 'https:' || protocol === 'wss:' || isLoopbackName(hostname);
}

/** The same of a database: its driver is told by `sslmode` to prove whom it talks to. */
export function isPrivateDatabase(text: string): boolean {
  const url = URL.parse(text);
  // Without a host it is a socket of this machine.
  if (url === null || url.hostname === '' || isLoopbackName(url.hostname)) return true;
  return PROVEN_MODES.includes(url.searchParams.get('sslmode') ?? '');
}
