/** Clusters by the names that clients know them by; `localnet` is any other chain. */
export type Network = 'mainnet-beta' | 'devnet' | 'testnet' | 'localnet';

/** All of them. */
export const NETWORKS = ['mainnet-beta', 'devnet', 'testnet', 'localnet'] as const satisfies readonly Network[];

/** Genesis hashes of the public clusters (https://solana.com/docs/references/clusters). */
const GENESIS: ReadonlyMap<string, Network> = new Map([
  ['5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', 'mainnet-beta'],
  ['EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxkZkrzG', 'devnet'],
  ['4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY', 'testnet'],
]);

/** The cluster of a genesis hash (base58). */
export function networkOf(genesisHash: string): Network {
  return GENESIS.get(genesisHash) ?? 'localnet';
}
