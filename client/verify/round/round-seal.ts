import type { Chain } from '../chain.ts';
import { Difference, NotProvable, type Outcome } from '../check.ts';
import { listedTransaction } from '../listed-transaction.ts';
import { findSealBy, type Seal } from '../seal.ts';
import { payerBy } from './pot-history.ts';
import type { RoundDocument } from './round-document.ts';

export interface SealQuestion {
  readonly chain: Chain;
  /** Must have sealed; default: a wallet that paid for the pot's transactions. */
  readonly platformWallet?: string;
  /** Transactions of the pot to read. */
  readonly most: number;
}

export async function checkSeal(
  { chain, platformWallet, most }: SealQuestion,
  document: RoundDocument,
): Promise<Outcome<Seal>> {
  const { root, pot: about } = document;
  const payer = platformWallet ?? (await payerOf(chain, document));
  const isOwn = (one: Seal) => payer === null || one.payer === payer;
  const { own, others } = await findSealBy(chain, { root, about }, isOwn, most);
  const [other] = platformWallet === undefined ? others : [];
  const seal = own ?? (other ? await paidForPot(chain, document, others, most) : unsealed(chain, document, payer));
  return { how: `root ${root} in ${seal.signature}, slot ${seal.slot}, by ${seal.payer}`, value: seal };
}

/** Finds the payer by the document's movements; null without any. */
async function payerOf(chain: Chain, { movements }: RoundDocument): Promise<string | null> {
  const [first] = movements;
  return first ? ((await chain.transaction(first.signature))?.signers[0] ?? null) : null;
}

/**
 * Returns the seal whose wallet paid for another transaction that the pot signed: the platform wallet changed since the
 * first movement.
 */
async function paidForPot(
  chain: Chain,
  { pot, movements }: RoundDocument,
  seals: readonly Seal[],
  most: number,
): Promise<Seal> {
  const [oldest] = seals;
  const { entries } = await chain.history(pot, { ...(oldest && { until: oldest.signature }), most });
  const landed = entries.filter(({ hasFailed }) => !hasFailed).toReversed();
  for (const { signature } of [...movements, ...landed].slice(0, most)) {
    const [paying] = payerBy(pot, await listedTransaction(chain, signature));
    const seal = seals.find(({ payer }) => payer === paying);
    if (seal) return seal;
  }
  const by = seals.map(({ payer }) => payer).join(', ');
  throw new NotProvable(`it is sealed by ${by}, of whom no transaction of the pot shows that it is the platform's`);
}

/** @throws Difference: no seal; NotProvable where the history does not reach back so far */
function unsealed(chain: Chain, { root, movements }: RoundDocument, payer: string | null): never {
  if (movements.length > 0 && payer === null)
    throw new NotProvable(`${chain.name} does not know the document's own transactions: its history is too short`);
  const expected = { value: `a seal of ${root}${payer ? ` by ${payer}` : ''}`, from: 'docs/verify.md' };
  throw new Difference('the document is not sealed', expected, {
    value: 'none',
    from: `history of the root, ${chain.name}`,
  });
}
