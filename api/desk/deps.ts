import type { ApiDeps } from '../deps.ts';
import type { EngineFaults } from './engine-faults.ts';
import type { LocalChain } from './local-chain.ts';

/** What the desk uses beside the API's own dependencies: the controls of the embedded chain and its block engine. */
export interface DeskDeps extends ApiDeps {
  readonly chain: LocalChain;
  /** Null where the stack has another block engine than its own. */
  readonly engineFaults: EngineFaults | null;
}
