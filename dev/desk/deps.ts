import type { ApiDeps } from '../../api/deps.ts';
import type { EngineFaults } from './engine-faults.ts';
import type { LocalChain } from './local-chain.ts';

export interface DeskDeps extends ApiDeps {
  readonly chain: LocalChain;
  /** Null with another block engine. */
  readonly engineFaults: EngineFaults | null;
}
