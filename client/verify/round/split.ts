/** An owner whose balance counted. Raw units. */
export interface Candidate {
  readonly owner: string;
  readonly balanceRaw: bigint;
  /** Of a missing quote account. */
  readonly rentRaw: bigint;
}

/** A share by the published rule (docs/money.md). */
export interface Share extends Candidate {
  readonly amountRaw: bigint;
}

/**
 * Divides pro rata among the largest group in which each share, less rent, reaches the least payout; rounded down
 * (docs/money.md).
 */
export function splitBudget(
  budgetRaw: bigint,
  candidates: readonly Candidate[],
  leastPayoutRaw: bigint,
): { readonly shares: readonly Share[]; readonly restRaw: bigint } {
  const ranked = candidates.map((one) => ({ ...one, dueRaw: leastPayoutRaw + one.rentRaw })).sort(byTokensForDue);
  let [total, count] = [0n, 0];
  for (const { balanceRaw, dueRaw } of ranked) {
    total += balanceRaw;
    if (budgetRaw * balanceRaw < dueRaw * total) {
      total -= balanceRaw;
      break;
    }
    count += 1;
  }
  const shares = ranked.slice(0, count).map(({ owner, balanceRaw, rentRaw }) => {
    return { owner, balanceRaw, rentRaw, amountRaw: (budgetRaw * balanceRaw) / total - rentRaw };
  });
  const given = shares.reduce((sum, { amountRaw, rentRaw }) => sum + amountRaw + rentRaw, 0n);
  return { shares, restRaw: budgetRaw - given };
}

type Ranked = Candidate & { readonly dueRaw: bigint };

function byTokensForDue(a: Ranked, b: Ranked): number {
  const [left, right] = [a.balanceRaw * b.dueRaw, b.balanceRaw * a.dueRaw];
  if (left !== right) return left > right ? -1 : 1;
  return a.owner < b.owner ? -1 : 1;
}
