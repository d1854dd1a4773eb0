import { BlockList } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export function isLoopbackAddress(address: string): boolean {
  return loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

/** @param name without port */
export function isLoopbackName(name: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(name.toLowerCase());
}
