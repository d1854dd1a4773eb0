import { isLoopbackName } from './loopback.ts';

/** Hosts that a quorum needs. */
const LEAST_HOSTS = 2;

const PROVEN_MODES = ['require', 'verify-ca', 'verify-full'];

export interface Addresses {
  readonly SOLANA_RPC_URL: string;
  readonly SOLANA_WS_URL?: string | undefined;
  readonly DATABASE_URL: string;
}

/** Refuses plain text beyond this machine and a single RPC host. Never repeats URLs, which may contain credentials. */
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

/** True if encrypted, or on this machine. */
export function isPrivate(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null) return false;
  const { protocol, hostname } = parsed;
  return protocol === 'https:' || protocol === 'wss:' || isLoopbackName(hostname);
}

/** True if `sslmode` makes the driver verify the server. */
export function isPrivateDatabase(text: string): boolean {
  const url = URL.parse(text);
  // Without a host it is a local socket.
  if (url === null || url.hostname === '' || isLoopbackName(url.hostname)) return true;
  return PROVEN_MODES.includes(url.searchParams.get('sslmode') ?? '');
}
