import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Address } from '../ledger/account.ts';
import type { Engine } from './engine.ts';

const KNOWN_PROGRAMS: readonly (readonly [file: string, programId: Address])[] = [
  ['raydium_clmm.so', 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK'],
  ['raydium_lock.so', 'LockrWmn6K5twhz3y9w1dQERbmgSaRkfnTeTKbpofwE'],
  ['mpl_token_metadata.so', 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'],
];

export function deployPrograms(engine: Engine, folder: string): Record<string, Address> {
  const found = KNOWN_PROGRAMS.filter(([file]) => existsSync(join(folder, file)));
  for (const [file, programId] of found) engine.deploy(programId, join(folder, file));
  return Object.fromEntries(found);
}
