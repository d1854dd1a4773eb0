import type { CanonicalValue } from '../../client/proof/canonical-json.ts';
import type { DocumentHead, DocumentRow, DocumentRows } from '../proof/lines.ts';
import type { LeftOut } from './left-out.ts';
import type { Balances } from './least-balances.ts';
import { type OtherAccountsByOwner, textOfAccounts } from './other-accounts.ts';

export interface DocumentPayout {
  readonly owner: string;
  readonly kind: 'holder' | 'rent';
  /** Its transaction in the round. */
  readonly n: number;
  readonly amountRaw: bigint;
  readonly rentRaw: bigint;
}

export interface RoundPlan {
  /** And the rules of its plan. */
  readonly facts: DocumentHead;
  /** Their moments are in `facts`. */
  readonly observations: readonly Balances[];
  readonly payouts: readonly DocumentPayout[];
  readonly leftOut: readonly LeftOut[];
  /** At any observation. */
  readonly otherAccounts: OtherAccountsByOwner;
}

export interface RoundDocument {
  readonly head: DocumentHead;
  readonly rows: DocumentRows;
}

/**
 * Builds the document. It has a row for each owner who held the minimum once: all balances, and `n:amount:rent` or the
 * reason, with `:rent` where a payout would have opened an account; then accounts beside the associated one, if there
 * are any. The head sums all others per observation.
 * @throws RangeError when an owner is paid twice, or paid and left out
 */
export function roundDocument({ facts, observations, payouts, leftOut, otherAccounts }: RoundPlan): RoundDocument {
  const outcomes = new Map<string, string>();
  const note = (owner: string, outcome: string) => {
    if (outcomes.has(owner)) throw new RangeError(`the plan decides twice about ${owner}`);
    outcomes.set(owner, outcome);
  };
  for (const { owner, kind, n, amountRaw, rentRaw } of payouts)
    if (kind === 'holder') note(owner, `${n}:${amountRaw}:${rentRaw}`);
  for (const { owner, reason, rentRaw } of leftOut)
    note(owner, rentRaw === undefined ? reason : `${reason}:${rentRaw}`);
  const others = observations.map((balances) => othersIn(balances, outcomes));
  const head = { ...facts, others, rentPayout: rentPayoutIn(payouts) };
  return { head, rows: { count: outcomes.size, rows: rowsOf(observations, outcomes, otherAccounts) } };
}

type Outcomes = ReadonlyMap<string, string>;

function* rowsOf(
  observations: readonly Balances[],
  outcomes: Outcomes,
  otherAccounts: OtherAccountsByOwner,
): Generator<DocumentRow> {
  for (const owner of [...outcomes.keys()].sort()) {
    const held = observations.map((balances) => String(balances.get(owner) ?? 0n));
    const accounts = otherAccounts.get(owner);
    yield [owner, ...held, outcomes.get(owner) ?? '', ...(accounts ? [textOfAccounts(accounts)] : [])];
  }
}

function othersIn(balances: Balances, outcomes: Outcomes): CanonicalValue {
  let [owners, raw] = [0, 0n];
  for (const [owner, held] of balances) {
    if (outcomes.has(owner)) continue;
    owners += 1;
    raw += held;
  }
  return { owners, raw: String(raw) };
}

function rentPayoutIn(payouts: readonly DocumentPayout[]): CanonicalValue {
  const rent = payouts.find(({ kind }) => kind === 'rent');
  return rent ? { owner: rent.owner, n: rent.n, amountRaw: String(rent.amountRaw) } : null;
}
