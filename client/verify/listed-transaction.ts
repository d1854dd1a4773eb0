import type { Chain } from './chain.ts';
import { NotProvable } from './check.ts';
import type { Landed } from './landed.ts';

/** @throws NotProvable where no endpoint has it */
export async function listedTransaction(chain: Chain, signature: string): Promise<Landed> {
  const landed = await chain.transaction(signature);
  if (landed) return landed;
  throw new NotProvable(`${chain.name} lists ${signature} and does not have it`);
}
