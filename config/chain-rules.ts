import { MAINNET_GENESIS, publicClusterOf } from '../domain/network.ts';
import { refuseProblems } from './environment.ts';

export interface ChainRules {
  readonly onMainnet: readonly string[];
  /** Stand-ins for real services. */
  readonly onPublicClusters: readonly string[];
}

/**
 * The chain decides what is at stake; the environment's name allows nothing.
 *
 * @throws ConfigError
 */
export function assertFitsChain({ onMainnet, onPublicClusters }: ChainRules, genesisHash: string): void {
  const cluster = publicClusterOf(genesisHash);
  if (cluster === undefined) return;
  const problems = genesisHash === MAINNET_GENESIS ? [...onPublicClusters, ...onMainnet] : onPublicClusters;
  refuseProblems([...new Set(problems)].map((problem) => `${problem} (the chain is ${cluster})`));
}
