import { isIPv6 } from 'node:net';

/** IPv4 in IPv6, as a socket that listens to both shows it. */
const MAPPED = /^::ffff:(\d+(?:\.\d+){3})$/i;

/**
 * What a client is counted by, as in the rate limits: its IPv4 address, or the /64 of its IPv6 address, of which one
 * subscriber has every address.
 */
export function clientOf(ip: string): string {
  const plain = MAPPED.exec(ip)?.[1] ?? ip;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  const network = [...first, ...zeros, ...last].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
