/** Balances in raw units. */
export interface VaultStep {
  readonly slot: number;
  readonly before: bigint;
  readonly after: bigint;
}

type Balances = Pick<VaultStep, 'before' | 'after'>;

/** Steps whose balances link, in chain order. */
export interface WholeVaultChain<Step extends VaultStep> {
  readonly whole: true;
  readonly steps: readonly Step[];
  readonly end: bigint;
}

export type VaultChain<Step extends VaultStep> =
  | WholeVaultChain<Step>
  | { readonly whole: false; readonly gap: string };

/**
 * Links the steps: if each begins with the previous balance, the history is complete.
 * @param steps by slot; within a slot the order is kept if it adds up, else reconstructed
 */
export function linkVault<Step extends VaultStep>(steps: readonly Step[], start: bigint): VaultChain<Step> {
  const ordered: Step[] = [];
  let balance = start;
  for (const group of bySlot(steps)) {
    const linked = linkSlot(group, balance);
    if (linked === null) return { whole: false, gap: describeGap(group, balance) };
    ordered.push(...linked);
    balance = linked.at(-1)?.after ?? balance;
  }
  return { whole: true, steps: ordered, end: balance };
}

/** Expects order by slot. */
export function bySlot<Step extends VaultStep>(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last?.[0]?.slot === step.slot) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

function linkSlot<Step extends VaultStep>(group: readonly Step[], start: bigint): readonly Step[] | null {
  if (addsUp(group, start)) return group;
  const trail = findTrail(group, start);
  return trail.length === group.length && addsUp(trail, start) ? trail : null;
}

export function leadsTo(steps: readonly Balances[], start: bigint, end: bigint): boolean {
  return addsUp(steps, start) && (steps.at(-1)?.after ?? start) === end;
}

function addsUp(steps: readonly Balances[], start: bigint): boolean {
  return steps.every((step, index) => step.before === (steps[index - 1]?.after ?? start));
}

/** Orders a slot's steps by Hierholzer's Euler trail over balances. */
function findTrail<Step extends VaultStep>(group: readonly Step[], start: bigint): Step[] {
  const unused = new Map<bigint, Step[]>();
  for (const step of group.toReversed()) unused.set(step.before, [...(unused.get(step.before) ?? []), step]);
  const trail: Step[] = [];
  const path: Step[] = [];
  for (;;) {
    const next = unused.get(path.at(-1)?.after ?? start)?.pop();
    if (next) path.push(next);
    else {
      const done = path.pop();
      if (!done) return trail.reverse();
      trail.push(done);
    }
  }
}

function describeGap(group: readonly VaultStep[], balance: bigint): string {
  const begins = [...new Set(group.map(({ before }) => before))].join(' or ');
  return `the vault held ${balance} and the next known transactions, of slot ${group[0]?.slot}, begin with ${begins}`;
}

export interface LinkedPart<Step extends VaultStep> {
  readonly steps: readonly Step[];
  readonly rest: readonly Step[];
}

export function linkAsFarAsPossible<Step extends VaultStep>(steps: readonly Step[], start: bigint): LinkedPart<Step> {
  const ordered: Step[] = [];
  let balance = start;
  const groups = bySlot(steps);
  for (const [index, group] of groups.entries()) {
    const linked = linkSlot(group, balance);
    if (linked === null) return { steps: ordered, rest: groups.slice(index).flat() };
    ordered.push(...linked);
    balance = linked.at(-1)?.after ?? balance;
  }
  return { steps: ordered, rest: [] };
}
