import { expect, test } from 'vitest';
import { networkOf } from '../../domain/network.ts';

test.each([
  ['5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', 'mainnet-beta'],
  ['EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG', 'devnet'],
  ['4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY', 'testnet'],
  ['11111111111111111111111111111111', 'localnet'],
])('the chain with genesis hash %s is %s to clients', (genesisHash, network) => {
  expect(networkOf(genesisHash)).toBe(network);
});
