import { normalizeIP } from '@fastify/rate-limit';

/** Prefix bits of a network that one subscriber owns. */
const IPV6_SUBNET = 64;

/** Prefix bits of a network that one customer of a hosting provider owns. */
const IPV6_NETWORK = 48;

export function clientOf(ip: string): string {
  return normalizeIP(ip, IPV6_SUBNET);
}

/** Null for IPv4. */
export function clientNetworkOf(ip: string): string | null {
  const network = normalizeIP(ip, IPV6_NETWORK);
  return network.includes(':') ? `${network}/${IPV6_NETWORK}` : null;
}
