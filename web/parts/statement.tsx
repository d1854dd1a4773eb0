import type { Answer } from '../../client/index.ts';
import { counted } from '../format/numbers.ts';
import { checkStatement } from '../proof/check-statement.ts';
import { type Side, waterfallOf } from '../proof/waterfall.ts';
import { Checks } from './checks.tsx';
import { Fall } from './fall.tsx';

type Page = Pick<Answer<'GET /tokens/{mint}/rewards/statement'>, 'movements' | 'totals' | 'pagination'>;

interface StatementProps {
  readonly label: string;
  /** From the first on. */
  readonly pages: readonly Page[];
  readonly falls: readonly { readonly side: Side; readonly symbol: string; readonly decimals: number }[];
  readonly onMore: () => void;
}

/** Waterfalls of a statement, and whether its rows add up. */
export function Statement({ label, pages, falls, onMore }: StatementProps) {
  const last = pages.at(-1);
  const rows = pages.flatMap(({ movements }) => movements);
  if (!last || rows.length === 0) return <p className="empty">No movement yet.</p>;
  return (
    <>
      {last.pagination.hasMore && (
        <p className="hint">
          The first {counted(rows.length, 'movement')}.{' '}
          <button type="button" className="text-button" onClick={onMore}>
            Read on
          </button>
        </p>
      )}
      {falls.map(({ side, symbol, decimals }) => (
        <Fall key={side} symbol={symbol} decimals={decimals} steps={waterfallOf(rows, side)} />
      ))}
      <Checks label={label} checks={[checkStatement({ rows, totals: last.totals })]} />
    </>
  );
}
