import type { Chain } from './chain.ts';
import { NotProvable } from './check.ts';
import type { Landed } from './landed.ts';

/** Reads a transaction that a history lists. @throws NotProvable if no endpoint has it */
export async function listedTransaction(chain: Chain, signature: string): Promise<Landed> {
  const landed = await chain.transaction(signature);
  if (landed) return landed;
  throw new NotProvable(`${chain.name} lists ${signature} and does not have it`);
}
