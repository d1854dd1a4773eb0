import { normalizeIP } from '@fastify/rate-limit';

/** One subscriber has every address of a network of this length. */
const IPV6_SUBNET = 64;

/**
 * What a client is counted by, in the rate limits and in the limit of unpaid launches: its IPv4 address, or the first address
 * of its IPv6 /64.
 */
export function clientOf(ip: string): string {
  return normalizeIP(ip, IPV6_SUBNET);
}
