import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Who a request is from, as far as rate limits and the log are concerned. */
export type ClientAddress = (remoteAddress: string | undefined, forwardedFor: string | string[] | undefined) => string;

/**
 * Finds the client of a request: the connection's other end or, where that is a trusted proxy, the last address of
 * X-Forwarded-For that is none, as Fastify's `request.ip` does. Proxies are addresses or CIDR ranges.
 */
export function clientAddressBehind(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return (remoteAddress = '') => remoteAddress;
  const proxies = new BlockList();
  for (const proxy of trustedProxies) addProxy(proxies, proxy);
  return (remoteAddress = '', forwardedFor) => {
    const claimed = [forwardedFor ?? []].flat().flatMap((header) => header.split(','));
    const hops = [remoteAddress, ...claimed.map((address) => address.trim()).reverse()];
    return hops.find((address) => !isIn(proxies, address)) ?? hops.at(-1) ?? remoteAddress;
  };
}

/** What a client is counted by: its address, or of IPv6 the /64, all of which one subscriber has. */
export function countedAs(address: string): string {
  if (!address.includes(':')) return address;
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = (plain.split('%')[0] ?? '').split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  const gap = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(Math.max(0, gap)).fill('0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

function groupsOf(part: string): string[] {
  return part === '' ? [] : part.split(':');
}

function addProxy(proxies: BlockList, proxy: string): void {
  const [address = '', prefix] = proxy.split('/');
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  if (prefix === undefined) proxies.addAddress(address, family);
  else proxies.addSubnet(address, Number(prefix), family);
}

function isIn(proxies: BlockList, address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(plain)) return proxies.check(plain, 'ipv4');
  return isIPv6(plain) && proxies.check(plain, 'ipv6');
}
