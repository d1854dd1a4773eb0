import { MAINNET_GENESIS, publicClusterOf } from '../domain/network.ts';
import { refuseProblems } from './environment.ts';

/** What a configuration must not be used on, by what chain it turns out to be for. */
export interface ChainRules {
  /** Refused on mainnet, whatever the installation is called. */
  readonly onMainnet: readonly string[];
  /** Refused on every public cluster: what stands in for something real. */
  readonly onPublicClusters: readonly string[];
}

/**
 * Refuses to go on where the chain is one that this configuration is not fit for. What is at stake follows from the chain, so
 * the name of an installation neither allows anything nor is needed to be safe. Throws a ConfigError.
 */
export function assertFitsChain({ onMainnet, onPublicClusters }: ChainRules, genesisHash: string): void {
  const cluster = publicClusterOf(genesisHash);
  if (cluster === undefined) return;
  const problems = genesisHash === MAINNET_GENESIS ? [...onPublicClusters, ...onMainnet] : onPublicClusters;
  refuseProblems([...new Set(problems)].map((problem) => `${problem} (the chain is ${cluster})`));
}
