/** Networks as clients name them; `localnet` is any other. */
export const NETWORKS = ['mainnet-beta', 'devnet', 'testnet', 'localnet'] as const;
export type Network = (typeof NETWORKS)[number];
type PublicCluster = Exclude<Network, 'localnet'>;

/** Genesis hash of mainnet-beta. */
export const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

/** @see https://solana.com/docs/references/clusters */
const PUBLIC_CLUSTERS: ReadonlyMap<string, PublicCluster> = new Map([
  [MAINNET_GENESIS, 'mainnet-beta'],
  ['EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG', 'devnet'],
  ['4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY', 'testnet'],
]);

/** Returns the cluster's name; undefined for others. */
export function publicClusterOf(genesisHash: string): PublicCluster | undefined {
  return PUBLIC_CLUSTERS.get(genesisHash);
}

/** base58. */
export function networkOf(genesisHash: string): Network {
  return publicClusterOf(genesisHash) ?? 'localnet';
}
