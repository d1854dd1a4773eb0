export interface RewardCandidate {
  /** base58. */
  readonly owner: string;
  /** Counted; above zero. */
  readonly balanceRaw: bigint;
  /** Of a missing quote account; 0 if it exists. */
  readonly rentRaw: bigint;
}

/** `shareRaw` is `amountRaw` plus `rentRaw`. */
export interface RewardShare extends RewardCandidate {
  readonly shareRaw: bigint;
  /** Paid out. */
  readonly amountRaw: bigint;
}

export interface RewardSplit {
  /** Largest balance relative to the required share first; ties by address. */
  readonly shares: readonly RewardShare[];
  /** Stays in the pot; the whole budget if no holder qualifies. */
  readonly restRaw: bigint;
}

/**
 * Splits pro rata among holders whose share, less the rent of a missing account, reaches the minimum (at least 1).
 * Others' shares go to them: the largest group in which every member qualifies. Rounded down; no float.
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

/** A candidate whose share must reach `dueRaw`. */
type Ranked = RewardCandidate & { readonly dueRaw: bigint };

/** Compares by chance: more tokens per due unit need a smaller budget. */
function byChance(a: Ranked, b: Ranked): number {
  const [left, right] = [a.balanceRaw * b.dueRaw, b.balanceRaw * a.dueRaw];
  if (left !== right) return left > right ? -1 : 1;
  return a.owner < b.owner ? -1 : 1;
}

/**
 * Finds the largest group. Its last member has the lowest chance, and each member reduces every share: the first group
 * that fails ends the search.
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
