import type { Chain, Commitment } from './chain.ts';
import { mustEqual, NotProvable } from './check.ts';
import type { Landed } from './landed.ts';

/** Texts for a difference: what failed, and which source says that it succeeded. */
export interface Success {
  readonly failure: string;
  readonly from: string;
  /** Default: finalized. */
  readonly commitment?: Commitment;
}

/** @throws NotProvable for an unknown transaction, Difference for one that failed */
export async function succeededTransaction(
  chain: Pick<Chain, 'name' | 'transaction'>,
  signature: string,
  { failure, from, commitment = 'finalized' }: Success,
): Promise<Landed> {
  const landed = await chain.transaction(signature, commitment);
  if (!landed) throw new NotProvable(`${chain.name} does not know ${signature}, or it is not ${commitment}`);
  const found = { value: landed.hasFailed ? 'failed' : 'succeeded', from: `${signature} on ${chain.name}` };
  mustEqual(failure, { value: 'succeeded', from }, found);
  return landed;
}
