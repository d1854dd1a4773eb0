import type { Chain } from '../chain.ts';
import { Difference, NotProvable } from '../check.ts';
import type { RoundDocument } from './round-document.ts';

/** Finds the payer by the document's movements; null without any. */
export async function payerOf(chain: Chain, { movements }: RoundDocument): Promise<string | null> {
  const [first] = movements;
  return first ? ((await chain.transaction(first.signature))?.signers[0] ?? null) : null;
}

/** @throws Difference: no seal; NotProvable where the history does not reach back so far */
export function unsealed(chain: Chain, { root, movements }: RoundDocument, payer: string | null): never {
  if (movements.length > 0 && payer === null)
    throw new NotProvable(`${chain.name} does not know the document's own transactions: its history is too short`);
  const expected = { value: `a seal of ${root}${payer ? ` by ${payer}` : ''}`, from: 'docs/verify.md' };
  throw new Difference('the document is not sealed', expected, {
    value: 'none',
    from: `history of the root, ${chain.name}`,
  });
}
