import { isIP, SocketAddress } from 'node:net';
import Type, { type Static, type TObject } from 'typebox';

export type TrustedProxies = readonly string[] | number;

/** No service has more. */
const MOST_HOPS = 5;

export const trustedProxyVariables = {
  TRUST_PROXY: Type.Optional(
    Type.String({
      pattern: '^([0-9]{1,2}|[0-9a-fA-F.:/, ]+)$',
      title: 'IP addresses or networks (CIDR) separated by commas, or a number of proxies',
      description:
        'Proxies whose X-Forwarded-* headers are believed, or their number; default: none. Every host of a named network can choose its client address',
    }),
  ),
  SHARED_CACHE: Type.Enum(['0', '1'], {
    default: '0',
    description:
      '1 says that a cache in front of the API (a CDN) gives one client’s answer to others: cacheable answers then carry the rate headers of a client that has asked nothing',
  }),
};

type Values = Static<TObject<typeof trustedProxyVariables>>;

/** Prefixes in production: a rack of proxies, not a private range with other machines. */
const WIDEST = { 4: 24, 6: 64 } as const;

export function trustedProxiesConfig({ TRUST_PROXY = '' }: Pick<Values, 'TRUST_PROXY'>): TrustedProxies {
  const text = TRUST_PROXY.trim();
  return isHops(text) ? Number(text) : entriesOf(text);
}

export function trustedProxyProblems({ TRUST_PROXY = '' }: Pick<Values, 'TRUST_PROXY'>): string[] {
  const text = TRUST_PROXY.trim();
  if (isHops(text)) return Number(text) <= MOST_HOPS ? [] : [`TRUST_PROXY=${text} is more than ${MOST_HOPS} proxies`];
  return entriesOf(text)
    .filter((entry) => networkOf(entry) === null)
    .map((entry) => `TRUST_PROXY has "${entry}", which is no IP address and no network such as 192.0.2.0/28`);
}

export function wideProxyProblems({ TRUST_PROXY = '' }: Pick<Values, 'TRUST_PROXY'>): string[] {
  const text = TRUST_PROXY.trim();
  if (isHops(text)) return [];
  return entriesOf(text).flatMap((entry) => {
    const network = networkOf(entry);
    if (network === null || network.prefix >= WIDEST[network.family]) return [];
    return [
      `TRUST_PROXY has ${entry}, which is wider than /${WIDEST[network.family]}: everybody in it could be any client, which is refused in production`,
    ];
  });
}

/** By the address’s one canonical form: `0:0:0:0:0:ffff:a00:0` is `::ffff:10.0.0.0` too. */
function isIPv4Mapped(address: string): boolean {
  return new SocketAddress({ address, family: 'ipv6' }).address.startsWith('::ffff:');
}

function isHops(text: string): boolean {
  return /^\d{1,2}$/.test(text);
}

function entriesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

interface Network {
  readonly family: 4 | 6;
  readonly prefix: number;
}

/** Parses a network; `::ffff:10.0.0.0/104` counts as IPv4, however it is written. */
function networkOf(entry: string): Network | null {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const version = isIP(address);
  if (version === 0) return null;
  const all = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? all : Number(bits);
  if (prefix > all) return null;
  const isMapped = version === 6 && isIPv4Mapped(address) && prefix >= 96;
  return isMapped || version === 4 ? { family: 4, prefix: isMapped ? prefix - 96 : prefix } : { family: 6, prefix };
}
