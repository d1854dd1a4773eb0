import { BlockList } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** True for an IP address of this machine itself, also an IPv4 one that a socket shows as `::ffff:127.0.0.1`. */
export function isLoopbackAddress(address: string): boolean {
  return loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

/** True for the names that always mean this machine: a URL's or Host header's name without its port. */
export function isLoopbackName(name: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(name.toLowerCase());
}
