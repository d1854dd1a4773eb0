/** Somebody who may take part in a split. */
export interface RewardCandidate {
  /** Address, base58. */
  readonly owner: string;
  /** Tokens that count, raw units; above zero. */
  readonly balanceRaw: bigint;
  /** What the rent of a missing quote account is worth, raw quote units; 0 where there is one. */
  readonly rentRaw: bigint;
}

/** What somebody gets. Raw quote units: `shareRaw` is `amountRaw` and `rentRaw` together. */
export interface RewardShare extends RewardCandidate {
  readonly shareRaw: bigint;
  /** What is paid out. */
  readonly amountRaw: bigint;
}

/** A budget divided among holders. */
export interface RewardSplit {
  /** Greatest balance first in relation to what each must reach; equal ones by address. */
  readonly shares: readonly RewardShare[];
  /** What rounding down leaves in the pot for the next round, raw quote units; all of the budget where nobody qualifies. */
  readonly restRaw: bigint;
}

/**
 * Divides a budget pro rata to the balances of those who qualify: whose share, less the rent of a missing account, reaches the
 * minimum (raw quote units, at least 1). Who does not qualify gets nothing, and what would have been theirs goes to the others,
 * so the largest group is chosen in which everybody qualifies. Shares are rounded down; no float is involved.
 */
export function splitRewards(
  budgetRaw: bigint,
  candidates: readonly RewardCandidate[],
  minimumRaw: bigint,
): RewardSplit {
  if (minimumRaw < 1n) throw new RangeError(`the least payout is 1 raw unit, got ${minimumRaw}`);
  const ranked = candidates
    .map((candidate) => ({ ...candidate, dueRaw: minimumRaw + candidate.rentRaw }))
    .sort(byChance);
  const count = largestGroup(budgetRaw, ranked);
  const group = ranked.slice(0, count);
  const total = group.reduce((sum, { balanceRaw }) => sum + balanceRaw, 0n);
  const shares = group.map(({ owner, balanceRaw, rentRaw }) => {
    const shareRaw = (budgetRaw * balanceRaw) / total;
    return { owner, balanceRaw, rentRaw, shareRaw, amountRaw: shareRaw - rentRaw };
  });
  return { shares, restRaw: shares.reduce((rest, { shareRaw }) => rest - shareRaw, budgetRaw) };
}

/** A candidate with what its share must reach. */
type Ranked = RewardCandidate & { readonly dueRaw: bigint };

/** The more tokens for each unit that is due, the smaller the budget that suffices. */
function byChance(a: Ranked, b: Ranked): number {
  const [left, right] = [a.balanceRaw * b.dueRaw, b.balanceRaw * a.dueRaw];
  if (left !== right) return left > right ? -1 : 1;
  return a.owner < b.owner ? -1 : 1;
}

/**
 * How many of the ranked qualify together. The last of a group is the one with the least chance, and each further member
 * makes everybody's share smaller, so the first group that fails ends the search.
 */
function largestGroup(budgetRaw: bigint, ranked: readonly Ranked[]): number {
  let total = 0n;
  for (const [index, { balanceRaw, dueRaw }] of ranked.entries()) {
    total += balanceRaw;
    // floor(budget · balance / total) >= due
    if (budgetRaw * balanceRaw < dueRaw * total) return index;
  }
  return ranked.length;
}
