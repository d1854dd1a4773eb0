/** Clusters by the names that clients know them by; `localnet` is any other chain. */
export const NETWORKS = ['mainnet-beta', 'devnet', 'testnet', 'localnet'] as const;
export type Network = (typeof NETWORKS)[number];
type PublicCluster = Exclude<Network, 'localnet'>;

/** Genesis hash of mainnet-beta, where everything is real money. */
export const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

/** Public clusters by their genesis hash. @see https://solana.com/docs/references/clusters */
const PUBLIC_CLUSTERS: ReadonlyMap<string, PublicCluster> = new Map([
  [MAINNET_GENESIS, 'mainnet-beta'],
  ['EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG', 'devnet'],
  ['4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY', 'testnet'],
]);

/** Name of the public cluster with this genesis hash; undefined for every other chain, such as one of a test. */
export function publicClusterOf(genesisHash: string): PublicCluster | undefined {
  return PUBLIC_CLUSTERS.get(genesisHash);
}

/** The cluster of a genesis hash (base58), as clients know it. */
export function networkOf(genesisHash: string): Network {
  return publicClusterOf(genesisHash) ?? 'localnet';
}
