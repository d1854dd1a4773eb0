import type { ShownRow } from '../../client/verify/statement/movement-rows.ts';

/** Coins, or the quote token. */
export type Side = 'base' | 'quote';

export interface Step {
  readonly name: string;
  readonly kind: 'in' | 'out' | 'held';
  /** Smallest units, above zero but for what is held. */
  readonly raw: bigint;
  /** Where its bar begins and ends, as parts of the largest sum. */
  readonly from: number;
  readonly to: number;
}

const INCOME: Readonly<Record<string, string>> = {
  tax: 'Tax of transfers',
  excess: 'Tax of the first sweep',
  harvest: 'Fees of the pool',
  share: 'Shares of fees',
  sale: 'From sales',
  correction: 'Corrections in',
};

const SPENDING: Readonly<Record<string, string>> = {
  sale: 'Sold',
  payout: 'Paid to holders',
  purchase: 'Spent on purchases',
  correction: 'Corrections out',
};

/** Each kind of movement as one bar, which begins where the one before it ends; the last is what is held. */
export function waterfallOf(rows: readonly ShownRow[], side: Side): readonly Step[] {
  const [came, left] = [sums(rows, `${side}InRaw`), sums(rows, `${side}OutRaw`)];
  const income = [...came].reduce((total, [, raw]) => total + raw, 0n);
  const spending = [...left].reduce((total, [, raw]) => total + raw, 0n);
  const largest = income > spending ? income : spending;
  const part = (raw: bigint) => (largest === 0n ? 0 : Number((raw * 10_000n) / largest) / 10_000);
  let level = 0n;
  const stepOf = (kind: 'in' | 'out', name: string, raw: bigint): Step => {
    const before = level;
    level += kind === 'in' ? raw : -raw;
    return { name, kind, raw, from: part(before), to: part(level) };
  };
  const steps = [
    ...[...came].map(([kind, raw]) => stepOf('in', INCOME[kind] ?? kind, raw)),
    ...[...left].map(([kind, raw]) => stepOf('out', SPENDING[kind] ?? kind, raw)),
  ];
  return steps.length === 0 ? [] : [...steps, { name: 'Held', kind: 'held', raw: level, from: 0, to: part(level) }];
}

/** By kind, without zeros, in the order in which they first appear. */
function sums(
  rows: readonly ShownRow[],
  field: 'baseInRaw' | 'baseOutRaw' | 'quoteInRaw' | 'quoteOutRaw',
): ReadonlyMap<string, bigint> {
  const totals = new Map<string, bigint>();
  for (const row of rows) {
    const raw = BigInt(row[field]);
    if (raw > 0n) totals.set(row.kind, (totals.get(row.kind) ?? 0n) + raw);
  }
  return totals;
}
