import { join } from 'node:path';
import type { EntryPoints } from '../../../../dev/stack/node-parts.ts';

/** Programs in place of the service, the chain and the block engine: the supervisor is the same, and the start is quick. */
export const STAND_INS: EntryPoints = {
  api: join(import.meta.dirname, 'service.ts'),
  worker: join(import.meta.dirname, 'service.ts'),
  localnet: join(import.meta.dirname, 'localnet.ts'),
  blockEngine: join(import.meta.dirname, 'block-engine.ts'),
};
