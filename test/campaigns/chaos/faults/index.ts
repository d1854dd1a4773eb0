import { BLOCK_ENGINE_FAULTS } from './block-engine.ts';
import { CHAIN_FAULTS } from './chain.ts';
import { DATABASE_FAULTS } from './database.ts';
import type { Fault } from './fault.ts';
import { PROCESS_FAULTS } from './processes.ts';
import { RPC_FAULTS } from './rpc.ts';

/** Every fault that the injector knows. */
export const FAULTS: readonly Fault[] = [
  ...BLOCK_ENGINE_FAULTS,
  ...CHAIN_FAULTS,
  ...RPC_FAULTS,
  ...DATABASE_FAULTS,
  ...PROCESS_FAULTS,
];
