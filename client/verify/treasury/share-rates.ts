import { NotProvable, type Outcome } from '../check.ts';
import type { ShownRow, Statement } from '../statement/movement-rows.ts';

/** Budgets in the order of the documents. */
const NAMES = ['buyback', 'flywheel'];

/** Consecutive harvests of which a budget got the same share, in bps; 0: it got none. */
interface Rate {
  readonly bps: number;
  readonly first: ShownRow;
  readonly harvests: number;
}

/**
 * Requires that each harvest since a budget's first share has a share in the budget, and that the rate never fell. The
 * rates are printed, because no document has the promised one.
 *
 * @throws NotProvable if a share is missing or lower: an honest platform may lower its rate
 */
export function checkShares(revenue: Statement, budgets: readonly Statement[]): Outcome<null> {
  const texts = budgets.map((budget, index) => {
    const name = NAMES[index] ?? `budget ${index + 1}`;
    const rates = ratesOf(revenue.rows, budget.rows);
    rates.forEach(({ bps, first }, at) => {
      const last = rates[at - 1]?.bps ?? 0;
      if (bps >= last) return;
      const what = `harvest ${first.number} of the revenue, ${first.signature}`;
      throw new NotProvable(
        bps === 0 ? `${name} has no share of ${what}` : `${name} has ${bps} bps of ${what}, after ${last} bps`,
      );
    });
    return `${name} ${rates.map(({ bps, harvests }) => `${bps} bps of ${harvests} harvests`).join(', ') || 'nothing'}`;
  });
  return { how: `every harvest since the first share has its share: ${texts.join('; ')}`, value: null };
}

/** In the order of the revenue, from the first share on. */
function ratesOf(harvests: readonly ShownRow[], rows: readonly ShownRow[]): Rate[] {
  const shares = new Map(rows.flatMap(({ signature, harvest }) => (harvest ? [[signature, harvest.shareBps]] : [])));
  const rates: Rate[] = [];
  for (const row of harvests) {
    const bps = shares.get(row.signature) ?? 0;
    const last = rates.at(-1);
    if (last?.bps === bps) rates[rates.length - 1] = { ...last, harvests: last.harvests + 1 };
    else if (last || bps > 0) rates.push({ bps, first: row, harvests: 1 });
  }
  return rates;
}
