import { expect, it } from 'vitest';
import { clientNetworkOf, clientOf } from '../../api/client-address.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:db8:1:2::9', '2001:db8:1:2::'],
  ['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2::'],
  ['2001:db8::1', '2001:db8::'],
  ['::1', '::'],
])('%s counts as %s', (ip, client) => {
  expect(clientOf(ip)).toBe(client);
});

it('addresses with a zone count as their network', () => {
  expect(clientOf('fe80::1%eth0')).toBe(clientOf('fe80::2%eth0'));
});

it.each([
  ['203.0.113.7', null],
  ['::ffff:203.0.113.7', null],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8:1:ffff::9', '2001:db8:1::/48'],
  ['2001:db8:2::9', '2001:db8:2::/48'],
])('%s belongs to the network %s', (ip, network) => {
  expect(clientNetworkOf(ip)).toBe(network);
});
